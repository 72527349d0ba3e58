import { comparable, defaultOf, type Owner } from "@feature-flags/file/defaults";
import type { FileRule, FileServe } from "@feature-flags/file/file";
import { canonicalJson, isObject, isSame } from "@feature-flags/file/json";
import { continuedRules } from "@feature-flags/file/rules";

/** A value as a file writes it, and the same value with all defaults. */
interface Both {
  readonly written: unknown;
  readonly complete: unknown;
}

/**
 * Returns the value that a field of the file gets from the project, in the form in which the file has
 * the field: with the defaults that the file names, and without ids of rules and slots that it does not
 * name. Returns the value of the file itself if it means the same.
 *
 * @param project undefined if the project has the default
 */
export function wantedValue(
  owner: Owner,
  field: string,
  {
    file,
    project = defaultOf(owner, field),
  }: { readonly file: unknown; readonly project: unknown },
): unknown {
  if (project === undefined) return file;
  const both = (written: unknown): Both => ({
    written,
    complete: comparable(owner, field, written),
  });
  if (field === "tags" || field === "values")
    return inOrderOf(list(file), list(project), (item) => both([item]).complete);
  if (field === "serve")
    return inFormOf(both(file), both(splitInFormOf(file as FileServe, project as FileServe)));
  if (field !== "rules") return inFormOf(both(file), both(project));
  const [rules, current] = [file as readonly FileRule[], project as readonly FileRule[]];
  const continued = continuedRules(owner, rules, current);
  const hasIds = rules.length === 0 || rules.some(({ id }) => id !== undefined);
  const before = partsOf(both(rules));
  const known = (n: number) => continued.indexOf(current[n]);
  const named = current.map((rule, n) => ruleInFormOf(rules[known(n)], rule, hasIds));
  return partsOf(both(named)).map((rule, n) => {
    const one = before[known(n)];
    return one ? inFormOf(one, rule) : rule.written;
  });
}

/** Returns a rule without an id that the file does not name. */
function ruleInFormOf(file: FileRule | undefined, rule: FileRule, hasIds: boolean): FileRule {
  const { id, serve, ...rest } = rule;
  return {
    ...(id !== undefined && (file ? file.id !== undefined : hasIds) && { id }),
    ...rest,
    ...(serve && { serve: file?.serve ? splitInFormOf(file.serve, serve) : serve }),
  };
}

/** Returns a split without slots that the file does not name, because the split keeps those that it has. */
const splitInFormOf = (file: FileServe, project: FileServe): FileServe =>
  "weights" in file && file.slots === undefined && "weights" in project
    ? { weights: project.weights }
    : project;

function inFormOf(file: Both, project: Both): unknown {
  if (isSame(file.complete, project.complete)) return file.written;
  if (Array.isArray(file.written) && Array.isArray(project.written)) {
    const [before, after] = [partsOf(file), partsOf(project)];
    const same = (one: Both) => before.find(({ complete }) => isSame(complete, one.complete));
    return after.map((item, n) => {
      const known = same(item) ?? (before.length === after.length ? before[n] : undefined);
      return known ? inFormOf(known, item) : item.written;
    });
  }
  if (isObject(file.written) && isObject(project.written)) return objectInFormOf(file, project);
  return project.written;
}

function objectInFormOf(file: Both, project: Both): unknown {
  const [before, after] = [fieldsOf(file), fieldsOf(project)];
  const names = new Set(Object.keys(project.written as object));
  for (const name of Object.keys(file.written as object))
    if (after(name).complete !== undefined) names.add(name);
  return Object.fromEntries(
    [...names].map((name) => {
      const { written, complete } = after(name);
      const wanted = { written: written ?? complete, complete };
      return [name, isNamed(file, name) ? inFormOf(before(name), wanted) : wanted.written];
    }),
  );
}

const isNamed = ({ written }: Both, name: string): boolean =>
  isObject(written) && written[name] !== undefined;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const partsOf = ({ written, complete }: Both): readonly Both[] =>
  list(written).map((item, n) => ({ written: item, complete: list(complete)[n] }));

/** Returns a function that returns a field of an object. */
function fieldsOf({ written, complete }: Both): (name: string) => Both {
  const own = (value: unknown, name: string) =>
    isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return (name) => ({ written: own(written, name), complete: own(complete, name) });
}

/** Returns the items of the project: first those of the file in its order and form, then new ones. */
function inOrderOf(
  file: readonly unknown[],
  project: readonly unknown[],
  completeOf: (item: unknown) => unknown,
): readonly unknown[] {
  const isIn = (items: readonly unknown[]) => {
    const keys = new Set(items.map((item) => canonicalJson(completeOf(item))));
    return (item: unknown) => keys.has(canonicalJson(completeOf(item)));
  };
  const isKnown = isIn(file);
  return file.filter(isIn(project)).concat(project.filter((item) => !isKnown(item)));
}
