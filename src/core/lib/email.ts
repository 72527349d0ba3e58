/** The form in which addresses are stored and compared: trimmed, Unicode NFC, lower case. */
export const normalizeEmail = (email: string): string =>
  email.trim().normalize("NFC").toLowerCase();
