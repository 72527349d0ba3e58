/**
 * Encrypts secrets that the service must be able to read again, such as TOTP secrets, before they
 * are stored.
 */
export interface Vault {
  /** Encrypts the text with the current key. */
  seal(text: string): Promise<string>;
  /** Decrypts a text. Throws if no configured key decrypts it, or if it was altered. */
  open(sealed: string): Promise<string>;
  /**
   * Encrypts a text with the current key again. Returns undefined if it is already encrypted with
   * the current key, or if no configured key decrypts it.
   */
  reseal(sealed: string): Promise<string | undefined>;
}
