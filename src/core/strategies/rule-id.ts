/** Returns a random id of 10 lower-case letters and digits. */
export const newRuleId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => (byte % 36).toString(36)).join(
    "",
  );
