/** The same values, without undefined ones: an optional property is absent instead. */
export type Given<Values extends object> = {
  readonly [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  readonly [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<
    Values[Name],
    undefined
  >;
};

/** Leave out the properties that are undefined: `{ a, ...given({ b, c }) }`. */
export function given<Values extends object>(values: Values): Given<Values> {
  const present: Partial<Values> = {};
  for (const name of Object.keys(values) as (keyof Values)[])
    if (values[name] !== undefined) present[name] = values[name];
  return present as object as Given<Values>; // removed properties are optional there
}
