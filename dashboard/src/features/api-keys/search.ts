/** What is shown, as it stands in the address. */
interface ApiKeysSearch {
  /** Only the keys of this environment. */
  environment?: number;
}

export function validateApiKeysSearch({ environment }: Record<string, unknown>): ApiKeysSearch {
  const id = Number(environment);
  return Number.isInteger(id) && id > 0 ? { environment: id } : {};
}
