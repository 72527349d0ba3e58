/**
 * Normalises an e-mail address to the form in which it is stored and compared: trimmed, Unicode
 * NFC, lower case.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().normalize("NFC").toLowerCase();
