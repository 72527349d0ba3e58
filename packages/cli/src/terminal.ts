import process from "node:process";
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { EXIT, Failure } from "./failure.ts";

/** The version of the JSON that commands print. It grows when a field changes or goes. */
const JSON_VERSION = 1;

export type Style = Parameters<typeof styleText>[0];

/**
 * The terminal of one run. Results go to standard output, everything else to standard error. With
 * `--json`, standard output has JSON with a `version`, and nothing else.
 */
export class Terminal {
  readonly isJson: boolean;
  readonly #secrets = new Set<string>();

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  /** Whether the user can answer a question. */
  get isInteractive(): boolean {
    return process.stdin.isTTY && process.stderr.isTTY;
  }

  /** Replaces a token in all output, so that no message of the service or of a library shows it. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  /** Prints a result: `data` with `--json`, otherwise the text. */
  result(data: object, text: string): void {
    const json = JSON.stringify({ version: JSON_VERSION, ...data });
    this.#write(process.stdout, this.isJson ? json : text);
  }

  /** Prints a document whose form another standard defines. */
  document(data: object): void {
    this.#write(process.stdout, JSON.stringify(data, null, 2));
  }

  /** Prints a message for people. */
  message(text: string): void {
    this.#write(process.stderr, text);
  }

  /** Prints an error, and returns the exit code. */
  failure(error: unknown): number {
    const known = error instanceof Failure ? error : undefined;
    const exit = EXIT[known?.exit ?? "error"];
    const message = error instanceof Error ? error.message : String(error);
    const { remedy, code } = known ?? {};
    if (this.isJson) this.result({ error: { exit, code, message, remedy } }, "");
    this.message(`${this.style("red", "error:", process.stderr)} ${message}`);
    if (remedy !== undefined) this.message(remedy);
    return exit;
  }

  /** Styles a text if the stream is a terminal, and `NO_COLOR` is not set. */
  style(format: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
    const isPlain = this.isJson && stream === process.stdout;
    return !isPlain && stream.isTTY && !process.env["NO_COLOR"] ? styleText(format, text) : text;
  }

  /**
   * Asks the user for a line. Throws: a Failure with the remedy when nobody can answer, so that a
   * script never waits.
   */
  async ask(question: string, remedy: string): Promise<string> {
    if (!this.isInteractive)
      throw new Failure("usage", "This command needs a confirmation, and there is no terminal", {
        remedy,
      });
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return (await reader.question(this.#hidden(question))).trim();
    } finally {
      reader.close();
    }
  }

  #write(stream: NodeJS.WriteStream, text: string): void {
    stream.write(`${this.#hidden(text)}\n`);
  }

  #hidden(text: string): string {
    return [...this.#secrets].reduce((rest, secret) => rest.replaceAll(secret, "[token]"), text);
  }
}
