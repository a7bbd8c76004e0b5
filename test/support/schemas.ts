export const text = { type: 'string' };
export const whole = { type: 'integer' };

export const object = (properties: object, others: object = {}) => ({
  type: 'object',
  properties,
  ...others,
});

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
