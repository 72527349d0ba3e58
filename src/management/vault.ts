/** Encrypts what must be read again, such as a TOTP secret, before it is stored. */
export interface Vault {
  seal(text: string): Promise<string>;
  /** Errors: when the text was sealed with another key, or altered. */
  open(sealed: string): Promise<string>;
  /** The text sealed with the current key; undefined when it is, or when no key opens it. */
  reseal(sealed: string): Promise<string | undefined>;
}
