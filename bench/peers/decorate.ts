import 'reflect-metadata';

type Prototype = object;

/**
 * Decorators applied as compiled code does it: Node runs TypeScript by leaving out the types, and a
 * decorator is more than a type.
 */
export function decorateClass(target: object, ...decorators: ClassDecorator[]): void {
  // Decorators see any class as a function.
  for (const each of decorators.reverse()) each(target as never);
}

/** One method: its parameters' types, which the compiler would note, their decorators and its own. */
export function decorateMethod(
  prototype: Prototype,
  name: string,
  parameters: readonly (readonly [type: unknown, decorator: ParameterDecorator])[],
  ...decorators: MethodDecorator[]
): void {
  const types = parameters.map(([type]) => type);
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  for (const [index, [, decorator]] of parameters.entries()) decorator(prototype, name, index);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  if (!descriptor) throw new Error(`there is no method ${name}`);
  for (const each of decorators.reverse()) each(prototype, name, descriptor);
}

export function decorateProperty(
  prototype: Prototype,
  name: string,
  type: unknown,
  ...decorators: PropertyDecorator[]
): void {
  Reflect.defineMetadata('design:type', type, prototype, name);
  for (const each of decorators.reverse()) each(prototype, name);
}
