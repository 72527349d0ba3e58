/**
 * SQL expressions for how many bytes a row adds at most to the rules as SDKs get them (`toClientRule`
 * in packages/evaluation/src/rule.ts). Stored JSON is longer than the JSON of a rule, so its length is
 * a bound. The indexes `flags_rule_bytes` and `strategies_own_rule_bytes` contain these expressions,
 * so that a sum reads no rows. The expressions have no commas, because drizzle-kit does not support
 * commas in an index. A change here needs a migration.
 */

/** Returns the size of a field in a rule, with its quoted name, a colon and a comma. */
const field = (column: string, name: string, value: string): string =>
  `CASE WHEN ${column} IS NULL THEN 0 ELSE octet_length(${value}) + ${name.length + 4} END`;
const textField = (column: string, name: string) => field(column, name, `json_quote(${column})`);
const jsonField = (column: string, name: string) => field(column, name, column);

/**
 * The size of the texts and values of a flag. The key of the first variant counts twice, because
 * rules serve this variant by default.
 */
export const FLAG_BYTES = [
  "octet_length(json_quote(key))",
  "octet_length(json_quote(name))",
  textField("off_variant", "offVariant"),
  jsonField("variants", "variants"),
  field("variants", "serve", "variants -> '$[0].key'"),
].join(" + ");

/** The size of a strategy, without the contents of its segments. 0 for the default strategy. */
export const STRATEGY_BYTES = [
  "octet_length(constraints) - 2",
  jsonField("rules", "rules"),
  // SDKs do not get the default of a boolean flag.
  jsonField("serve", "serve").replace("IS NULL", `IS NULL OR serve = '{"variant":"on"}'`),
  textField("stickiness", "stickiness"),
  textField("hash_key", "hashKey"),
  textField("split_key", "splitKey"),
  textField("split_stickiness", "splitStickiness"),
].join(" + ");
