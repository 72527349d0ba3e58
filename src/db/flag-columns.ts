import { BOOLEAN_VARIANTS } from "../core/flags/variants.ts";

/**
 * SQL expressions for the fields of a flag that are no plain columns. `flag` is the name or alias of
 * the table `flags` in the SQL statement.
 */

/**
 * Returns the expression for the variants as JSON. For a boolean flag, whose variants the table
 * does not store, the expression has the variants `on` and `off`.
 */
export const variantsExpression = (flag: string): string =>
  `coalesce(${flag}.variants, '${JSON.stringify(BOOLEAN_VARIANTS)}')`;

/**
 * Returns the expression for the prerequisites as a JSON array of `FlagPrerequisite`. `json_patch`
 * leaves `variants` out where the column is NULL.
 */
export const prerequisitesExpression = (flag: string): string =>
  `(SELECT json_group_array(json_patch(
      json_object('flagKey', key, 'enabled', json(iif(enabled, 'true', 'false'))),
      json_object('variants', json(variants))))
    FROM (SELECT r.key, p.enabled, p.variants FROM flag_prerequisites p
      JOIN flags r ON r.id = p.required_flag_id
      WHERE p.flag_id = ${flag}.id ORDER BY p.position))`;

/** Returns the SQL expression for the ids of the owners of a row of `flags`, as a JSON array. */
export const ownerIdsExpression = (alias: string): string => `(SELECT json_group_array(user_id)
  FROM (SELECT o.user_id FROM flag_owners o WHERE o.flag_id = ${alias}.id ORDER BY o.user_id))`;
