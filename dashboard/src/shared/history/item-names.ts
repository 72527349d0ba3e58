import type { AuditRecord, Schemas } from "../api/types.ts";

/** The names of the items to which audit records refer, because the records have only ids. */
export interface ItemNames {
  /**
   * Returns the name of an item, such as a flag or a segment. The name of a user is the e-mail
   * address. The name of a deleted item is that of its newest audit record. Undefined if there is
   * none.
   */
  readonly of: (entityType: string, id: number) => string | undefined;
  /** Whether the item has a name and was not deleted. */
  readonly exists: (entityType: string, id: number) => boolean;
  /** Whether an environment is production. False for a deleted one. */
  readonly isProduction: (environmentId: number) => boolean;
}

type RelatedName = NonNullable<Schemas["AuditPage"]["related"]>[number];

export function itemNames(related: readonly RelatedName[] = []): ItemNames {
  const items = new Map(related.map((item) => [`${item.entityType} ${item.id}`, item]));
  const find = (entityType: string, id: number) => items.get(`${entityType} ${id}`);
  return {
    of: (entityType, id) => find(entityType, id)?.name,
    exists: (entityType, id) => find(entityType, id)?.deleted === false,
    isProduction: (id) => find("environment", id)?.production === true,
  };
}

/** Returns names that also know the given items of one type. */
export function withNames(
  names: ItemNames,
  type: string,
  items: readonly { readonly id: number; readonly name: string }[],
): ItemNames {
  const more = itemNames(
    items.map(({ id, name }) => ({ entityType: type, id, name, deleted: false })),
  );
  return {
    ...names,
    of: (entityType, id) => more.of(entityType, id) ?? names.of(entityType, id),
    exists: (entityType, id) => more.exists(entityType, id) || names.exists(entityType, id),
  };
}

export const nameInRecord = ({ before, after }: AuditRecord): string | undefined =>
  nameIn(after) ?? nameIn(before);

function nameIn(content: unknown): string | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const { name, email, contextKey, value } = content as Readonly<Record<string, unknown>>;
  if (typeof contextKey === "string" && typeof value === "string") return `${contextKey}: ${value}`;
  return [email, name].find((text): text is string => typeof text === "string" && text !== "");
}
