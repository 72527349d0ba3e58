/**
 * Encrypts values that the service must be able to read again, such as TOTP secrets, before they
 * are stored.
 */
export interface Vault {
  /** Encrypts the text with the current key. */
  seal(text: string): Promise<string>;
  /** Decrypts. Throws if no configured key opens the text, or if the text was altered. */
  open(sealed: string): Promise<string>;
  /**
   * Seals with the current key. Undefined: already sealed with it, or no configured key opens the
   * text.
   */
  reseal(sealed: string): Promise<string | undefined>;
}
