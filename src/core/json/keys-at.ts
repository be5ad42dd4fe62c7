type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** The keys of a JSON schema at a path. */
export function keysAt(schema: object, path: readonly PropertyKey[]): readonly string[] {
  let found: readonly Schema[] = [schema];
  for (const part of path)
    found = found
      .map(({ properties = {}, additionalProperties, items }) =>
        Object.hasOwn(properties, part)
          ? properties[String(part)]
          : (additionalProperties ?? items),
      )
      .flatMap((one) => (one === undefined ? [] : (one.anyOf ?? [one])));
  return found.flatMap(({ properties = {} }) => Object.keys(properties));
}
