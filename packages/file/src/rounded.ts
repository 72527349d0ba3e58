import { isHeld } from "@feature-flags/evaluation/json-numbers";

/**
 * Whether a number of YAML 1.2 is rounded when it is read, because no double holds it. `source`: the
 * number as it is written, such as `.5`, `5.`, `0x1F` or `0o17`.
 */
export function isRounded(source: string): boolean {
  if (/^0[xo]/.test(source)) return BigInt(source) !== BigInt(Number(source));
  if (/[a-z]{3}$/i.test(source)) return false;
  return !isHeld(source.replace(/^([+-]?)\./, "$10.").replace(/\.(?=$|e)/i, ""));
}
