/** The parts of a JSON Schema that `exampleOf` uses. */
interface Schema {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Returns the name of a schema from a reference to it. */
export const schemaName = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1);

/**
 * Returns an example of a JSON Schema: the schema's own example, or an example composed from its
 * parts. Optional properties without an example are left out. Undefined when a required property
 * has no example.
 */
export function exampleOf(schema: Schema | undefined, schemas: Schemas): unknown {
  if (!schema) return undefined;
  if (schema.$ref !== undefined) return exampleOf(schemas[schemaName(schema.$ref)], schemas);
  if (schema.example !== undefined) return schema.example;
  if (schema.examples) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0], schemas);
  if (schema.items) {
    const item = exampleOf(schema.items, schemas);
    return item === undefined ? undefined : [item];
  }
  return schema.properties && exampleOfObject(schema, schema.properties, schemas);
}

function exampleOfObject(
  { required = [] }: Schema,
  properties: Readonly<Record<string, Schema>>,
  schemas: Schemas,
): unknown {
  const entries = Object.entries(properties).flatMap(([name, property]) => {
    const value = exampleOf(property, schemas);
    return value === undefined ? [] : [[name, value] as const];
  });
  const example = Object.fromEntries(entries);
  return required.every((name) => Object.hasOwn(example, name)) ? example : undefined;
}
