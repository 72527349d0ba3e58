import { textOrder } from "./decimal.ts";

/** A version of semver.org 2.0.0. Numbers are texts, because semver.org does not limit their digits. */
export interface Version {
  /** The text of the version without build metadata, which semver.org ignores in comparisons. */
  readonly version: string;
  readonly major: string;
  readonly minor: string;
  readonly patch: string;
  /** The parts of the pre-release; an empty list if the version is none. */
  readonly prerelease: readonly string[];
}

const VERSION =
  /^((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\da-zA-Z.-]+))?)(?:\+([\da-zA-Z.-]+))?$/;

const NUMBER = /^\d+$/;

/** Reads a version. Returns undefined for another text. Takes linear time. */
export function parseVersionText(text: string): Version | undefined {
  const [, version, major = "", minor = "", patch = "", suffix, build] = VERSION.exec(text) ?? [];
  if (version === undefined) return undefined;
  const prerelease = suffix === undefined ? [] : suffix.split(".");
  const isSound =
    prerelease.every(isIdentifier) &&
    (build === undefined || build.split(".").every((one) => one !== ""));
  return isSound ? { version, major, minor, patch, prerelease } : undefined;
}

/** Whether a part of a pre-release is valid: a number has no zero before it. */
const isIdentifier = (part: string): boolean =>
  part !== "" && (part === "0" || !part.startsWith("0") || !NUMBER.test(part));

/** Compares two versions by their precedence, as in `Array.prototype.sort`. */
export const compareVersions = (a: Version, b: Version): number =>
  numberOrder(a.major, b.major) ||
  numberOrder(a.minor, b.minor) ||
  numberOrder(a.patch, b.patch) ||
  prereleaseOrder(a.prerelease, b.prerelease);

/** Compares two numbers without zeros before them. */
const numberOrder = (a: string, b: string): number => a.length - b.length || textOrder(a, b);

function prereleaseOrder(a: readonly string[], b: readonly string[]): number {
  // A version is above its pre-releases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = identifierOrder(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function identifierOrder(a: string, b: string): number {
  const isNumber = NUMBER.test(a);
  if (isNumber !== NUMBER.test(b)) return isNumber ? -1 : 1;
  return isNumber ? numberOrder(a, b) : textOrder(a, b);
}
