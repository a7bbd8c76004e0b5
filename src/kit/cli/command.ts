import { type ParseArgsConfig, parseArgs } from 'node:util';

/** One command of `accord`. */
export type Command = {
  /** What it does, in one line. */
  readonly summary: string;
  /** How it is called, with an example. */
  readonly help: string;
  /** Whether all is well; false where it found something. */
  run(args: readonly string[]): Promise<boolean>;
};

type Options = NonNullable<ParseArgsConfig['options']>;
type Given<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>;

type Declared<O extends Options> = {
  readonly summary: string;
  readonly help: string;
  readonly options: O;
  /** The most arguments it takes besides its options. */
  readonly arguments?: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands find nothing, and return nothing.
  run(values: Given<O>['values'], ...given: string[]): Promise<boolean | void>;
};

/** Declares a command; its options are typed by their declaration. */
export function command<const O extends Options>(declared: Declared<O>): Command {
  const { summary, help, options, arguments: most = 0 } = declared;
  return {
    summary,
    help,
    async run(args) {
      const { values, positionals } = parsed(args, options);
      const surplus = positionals[most];
      if (surplus !== undefined) throw new WrongUse(`does not take '${surplus}'`);
      // A shell script gives it so where a variable is not set.
      const empty = Object.keys(values).find((name) => Object(values)[name] === '');
      if (empty !== undefined) throw new WrongUse(`needs a value for --${empty}`);
      return (await declared.run(values, ...positionals)) ?? true;
    },
  };
}

/** The command was called in a way that it does not have. */
export class WrongUse extends Error {}

function parsed<O extends Options>(args: readonly string[], options: O): Given<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Its messages have a sentence of advice after the first.
    const [first = ''] = error instanceof Error ? error.message.split(/\.\s/) : [String(error)];
    throw new WrongUse(first);
  }
}
