import type { Form } from "@feature-flags/unleash";
import { MAPPING_VERSION } from "@feature-flags/unleash/version";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Snapshot } from "../../core/rules/snapshot.ts";
import { JSON_HEADERS } from "../../http/json.ts";

/** The bodies that have the features: the whole document, and one event with the whole document. */
export type BodyKind = "document" | "hydration";

/** Makes the features of rules, each as JSON, UTF-8. */
export type Mapping = (rules: readonly ClientRule[], form: Form) => readonly Uint8Array[];

const encoder = new TextEncoder();

const COMMA = encoder.encode(",");
/** What is before and after the features of a document. */
const START = encoder.encode('{"version":2,"features":[');
const END = encoder.encode('],"segments":[]}');

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.byteLength;
  }
  return bytes;
}

/**
 * The documents of one rule set for Unleash SDKs, by their form. A document is made when the first
 * request needs it, and kept as long as the rule set. An event is made of it for each request.
 */
export class UnleashDocuments {
  readonly #snapshot: Pick<Snapshot, "etag" | "revision">;
  readonly #documents = new Map<Form, Uint8Array<ArrayBuffer>>();
  /** The response headers, which the runtime copies faster than it creates them. */
  readonly #headers = new Map<string, Headers>();

  constructor(snapshot: Pick<Snapshot, "etag" | "revision">) {
    this.#snapshot = snapshot;
  }

  /** The memory that the documents take, bytes. */
  get size(): number {
    let size = 0;
    for (const { byteLength } of this.#documents.values()) size += byteLength;
    return size;
  }

  /** The ETag of the rules with the version of the mapping and the form, which decide the bytes. */
  etagOf(form: Form): string {
    return `${this.#snapshot.etag.slice(0, -1)}-u${MAPPING_VERSION}${form}"`;
  }

  isHeld(form: Form): boolean {
    return this.#documents.has(form);
  }

  /** Returns a body of the document of the form. Throws: an `Error` if it was not made before. */
  body(form: Form, kind: BodyKind): Uint8Array<ArrayBuffer> {
    const document = this.#documents.get(form);
    if (!document) throw new Error("The document was not made");
    return kind === "hydration" ? this.#hydration(document) : document;
  }

  /**
   * Makes a document, UTF-8, and keeps it, unless it was made before: several requests may have waited
   * for the mapping.
   */
  make(form: Form, { rules, mapping }: MappedRules): void {
    if (this.isHeld(form)) return;
    const parts: Uint8Array[] = [START];
    for (const feature of mapping(rules(), form)) {
      if (parts.length > 1) parts.push(COMMA);
      parts.push(feature);
    }
    parts.push(END);
    this.#documents.set(form, joined(parts));
  }

  /**
   * Returns the headers of a response. Several responses share them, so copy them before a change.
   * `isUnchanged`: the response is a 304.
   */
  headersOf(form: Form, isUnchanged: boolean, stale: boolean): Headers {
    const name = `${form} ${isUnchanged} ${stale}`;
    let headers = this.#headers.get(name);
    if (headers === undefined) {
      headers = new Headers({
        "Cache-Control": "private, no-cache",
        "X-Revision": String(this.#snapshot.revision),
        // The Python SDK forgets its ETag when a 304 does not repeat it.
        ETag: this.etagOf(form),
        ...(!isUnchanged && JSON_HEADERS),
        ...(stale && { Warning: '110 - "Response is Stale"' }),
      });
      this.#headers.set(name, headers);
    }
    return headers;
  }

  /** Returns the event with the features of a document. */
  #hydration(document: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const { revision } = this.#snapshot;
    const start = `{"events":[{"type":"hydration","eventId":${revision},"features":[`;
    const features = document.subarray(START.byteLength, -END.byteLength);
    return joined([encoder.encode(start), features, END, encoder.encode("]}")]);
  }
}

/** The rules of a rule set, and the mapping that makes features of them. */
export interface MappedRules {
  readonly rules: () => readonly ClientRule[];
  readonly mapping: Mapping;
}
