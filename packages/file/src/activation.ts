import type { Constraint } from "@feature-flags/evaluation/rule";
import type { FileActivation, FileConstraint, FileServe } from "./file.ts";

/** The names in the API of those fields of a strategy that a file names in another way. */
export const API_NAMES: Readonly<Record<string, string>> = {
  percentage: "exactPercentage",
  segments: "segmentIds",
};

/** How the fields of an activation are stored that a file writes in another way. */
interface Stored<Segment, Served> {
  readonly segment: (name: string) => Segment;
  readonly serve: (serve: FileServe) => Served;
}

/** Returns a strategy of a file, or one of its rules, with the names and forms of stored strategies. */
export const fromFile = <T extends FileActivation, Segment, Served>(
  { percentage, constraints, segments, ...same }: T,
  stored: Stored<Segment, Served>,
) => ({
  percentage,
  constraints: constraints?.map(toConstraint),
  segmentIds: segments?.map(stored.segment),
  ...same,
  serve: same.serve && stored.serve(same.serve),
});

/** Returns a constraint with the defaults of the fields that a file can leave out. */
export const toConstraint = (given: FileConstraint): Constraint => {
  const { field, operator, values = [], contextType = "string" } = given;
  return {
    field,
    operator,
    values,
    contextType,
    ...(given.caseInsensitive && { caseInsensitive: true }),
    ...(given.inverted && { inverted: true }),
  };
};
