import { murmur3 } from "@feature-flags/evaluation/murmur3";
import type { ClientRule } from "@feature-flags/evaluation/rule";

/**
 * The forms of rules. A rule in `PLAIN_FORM` has only the fields that the first SDKs know. A rule in
 * `EXTENDED_FORM` has values, ordered rules, prerequisites or the like. A rule in `CLIENTS_FORM` has
 * `clients`. A list of rules has the highest form of its rules.
 *
 * Add a form when rules get new fields again, because an older release makes other rules from the
 * same database.
 */
export const PLAIN_FORM = 1;
const EXTENDED_FORM = 2;
const CLIENTS_FORM = 3;

const PLAIN_FIELDS: ReadonlySet<string> = new Set(["key", "name", "enabled", "activation"]);
const PLAIN_ACTIVATION_FIELDS: ReadonlySet<string> = new Set([
  "rollOut",
  "constraints",
  "segments",
  "stickiness",
]);

/** Returns the form of a rule. */
export function formOf(rule: ClientRule): number {
  if (rule.clients !== undefined) return CLIENTS_FORM;
  return Object.keys(rule).every((field) => PLAIN_FIELDS.has(field)) &&
    Object.keys(rule.activation).every((field) => PLAIN_ACTIVATION_FIELDS.has(field))
    ? PLAIN_FORM
    : EXTENDED_FORM;
}

/** The parts of an ETag of rules, without the hash. */
interface EtagParts {
  readonly revision: number;
  /** The form of the rules. */
  readonly form: number;
}

const encoder = new TextEncoder();

/**
 * Returns the ETag of a list of rules: `"{revision}-{hash of the body}"`, and the form at the end
 * unless it is `PLAIN_FORM`.
 */
export function etagOf({ revision, form }: EtagParts, body: string): string {
  const hash = contentHash(body);
  return form === PLAIN_FORM ? `"${revision}-${hash}"` : `"${revision}-${hash}-${form}"`;
}

function contentHash(body: string): string {
  const bytes = encoder.encode(body);
  return murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length).toString(16);
}

/**
 * Reads the first ETag of an `If-None-Match` header that has the form of `etagOf`. Undefined when
 * the header has no such ETag.
 */
export function readEtag(header: string): EtagParts | undefined {
  const [, revision, form = PLAIN_FORM] =
    /"(\d{1,15})-[0-9a-f]+(?:-(\d{1,3}))?"/.exec(header) ?? [];
  return revision === undefined ? undefined : { revision: Number(revision), form: Number(form) };
}

/** Whether an ETag names exactly these rules: the hash of this body, at this revision. */
export function isEtagOf(etag: string, revision: number, body: string): boolean {
  const parts = readEtag(etag);
  return parts?.revision === revision && etag === etagOf(parts, body);
}
