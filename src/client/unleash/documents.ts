import type { UnleashFeatures } from "@feature-flags/unleash/body";
import type { Form } from "@feature-flags/unleash";
import { MAPPING_VERSION } from "@feature-flags/unleash/version";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Snapshot } from "../../core/rules/snapshot.ts";
import { JSON_HEADERS } from "../../http/json.ts";

/** The bodies that have the features: the whole document, and one event with the whole document. */
export type BodyKind = "document" | "hydration";

/** Makes the features of rules. */
export type Mapping = (rules: readonly ClientRule[], form: Form) => UnleashFeatures;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const DOCUMENT = ['{"version":2,"features":', ',"segments":[]}'] as const;

/**
 * The documents of one rule set for Unleash SDKs, by their form. A body is made when the first request
 * needs it, and kept as long as the rule set.
 */
export class UnleashDocuments {
  readonly #snapshot: Pick<Snapshot, "etag" | "revision">;
  readonly #bodies = new Map<`${Form} ${BodyKind}`, Uint8Array<ArrayBuffer>>();
  /** The response headers, which the runtime copies faster than it creates them. */
  readonly #headers = new Map<string, Headers>();

  constructor(snapshot: Pick<Snapshot, "etag" | "revision">) {
    this.#snapshot = snapshot;
  }

  /** The memory that the bodies take, bytes. */
  get size(): number {
    let size = 0;
    for (const { byteLength } of this.#bodies.values()) size += byteLength;
    return size;
  }

  /** The ETag of the rules with the version of the mapping and the form, which decide the bytes. */
  etagOf(form: Form): string {
    return `${this.#snapshot.etag.slice(0, -1)}-u${MAPPING_VERSION}${form}"`;
  }

  /** Returns a body if it was made before. */
  held(form: Form, kind: BodyKind): Uint8Array<ArrayBuffer> | undefined {
    return this.#bodies.get(`${form} ${kind}`);
  }

  /** Makes a body, UTF-8, and keeps it. `rules`: the rules of the rule set. */
  make(form: Form, kind: BodyKind, from: MappedRules): Uint8Array<ArrayBuffer> {
    const made = kind === "document" ? this.#document(form, from) : this.#hydration(form, from);
    this.#bodies.set(`${form} ${kind}`, made);
    return made;
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

  #document(form: Form, { rules, mapping }: MappedRules): Uint8Array<ArrayBuffer> {
    const [start, end] = DOCUMENT;
    const { json } = mapping(rules(), form);
    return encoder.encode(start + json + end) as Uint8Array<ArrayBuffer>;
  }

  #hydration(form: Form, from: MappedRules): Uint8Array<ArrayBuffer> {
    const document = this.held(form, "document") ?? this.make(form, "document", from);
    const [start, end] = DOCUMENT;
    const json = decoder.decode(document.subarray(start.length, -end.length));
    const { revision } = this.#snapshot;
    const body = `{"events":[{"type":"hydration","eventId":${revision},"features":${json},"segments":[]}]}`;
    return encoder.encode(body) as Uint8Array<ArrayBuffer>;
  }
}

/** The rules of a rule set, and the mapping that makes features of them. */
export interface MappedRules {
  readonly rules: () => readonly ClientRule[];
  readonly mapping: Mapping;
}
