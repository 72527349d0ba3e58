import { env } from "cloudflare:workers";

/** The D1 database, which adds up the rows that its SQL statements read and write. */
export class MeteredDatabase {
  read = 0;
  written = 0;
  readonly #database = env.DB;
  readonly #originals = new WeakMap<object, D1PreparedStatement>();

  prepare(sql: string): D1PreparedStatement {
    return this.#metered(this.#database.prepare(sql));
  }

  async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const originals = statements.map((one) => this.#originals.get(one) ?? one);
    const results = await this.#database.batch<T>(originals);
    for (const result of results) this.#count(result);
    return results;
  }

  withSession() {
    return this;
  }

  getBookmark() {
    return null;
  }

  /** Returns the numbers of rows read and written since the last call of `take`. */
  take() {
    const { read, written } = this;
    [this.read, this.written] = [0, 0];
    return { read, written };
  }

  #metered(original: D1PreparedStatement): D1PreparedStatement {
    const all = async () => this.#count(await original.all<never>());
    const statement = {
      all,
      bind: (...values: unknown[]) => this.#metered(original.bind(...values)),
      first: async () => (await all()).results[0] ?? null,
      raw: () => original.raw(),
    } as unknown as D1PreparedStatement;
    this.#originals.set(statement, original);
    return statement;
  }

  #count<T>(result: D1Result<T>): D1Result<T> {
    this.read += result.meta.rows_read;
    this.written += result.meta.rows_written;
    return result;
  }
}
