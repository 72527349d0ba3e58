/** Encrypts secrets that are stored and that the service must be able to read again, such as TOTP secrets. */
export interface Vault {
  /** Encrypts a text with the current encryption key. */
  seal(text: string): Promise<string>;
  /**
   * Decrypts a text. Throws if no configured encryption key decrypts the text, or if the text was altered.
   */
  open(sealed: string): Promise<string>;
  /**
   * Decrypts a text and encrypts it with the current encryption key. Returns undefined if the text
   * is already encrypted with the current key, or if no configured encryption key decrypts it.
   */
  reseal(sealed: string): Promise<string | undefined>;
}
