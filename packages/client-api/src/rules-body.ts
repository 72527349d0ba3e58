import { digestOf, ruleHash } from "@feature-flags/evaluation/digest";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { etagOf, formOf, PLAIN_FORM } from "./etag.ts";

const encoder = new TextEncoder();

/** The rules of an environment as `GET /api/client/features` returns them. */
export interface RulesBody {
  /** The JSON array of the rules. */
  readonly body: string;
  /** The byte range (UTF-8) of each rule in the body, by flag key. */
  readonly spans: ReadonlyMap<string, readonly [start: number, end: number]>;
  readonly etag: string;
  readonly digest: string;
}

/** Makes the response with all rules of an environment at a revision, in the order of the rules. */
export function rulesBody(rules: Iterable<ClientRule>, revision: number): RulesBody {
  const spans = new Map<string, readonly [number, number]>();
  const texts: string[] = [];
  const hashes: number[] = [];
  let form = PLAIN_FORM;
  let end = 0;
  for (const rule of rules) {
    form = Math.max(form, formOf(rule));
    const text = JSON.stringify(rule);
    // The first rule starts after the opening bracket, every other rule after a comma.
    const start = end + 1;
    const bytes = encoder.encode(text);
    end = start + bytes.length;
    hashes.push(ruleHash(bytes));
    spans.set(rule.key, [start, end]);
    texts.push(text);
  }
  const body = `[${texts.join(",")}]`;
  return { body, spans, etag: etagOf({ revision, form }, body), digest: digestOf(hashes) };
}
