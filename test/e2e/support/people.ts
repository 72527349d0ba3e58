/** Who signs in, in the tests. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

export const ADMIN: Person = { email: "admin@example.com", password: "correct-horse-battery" };
