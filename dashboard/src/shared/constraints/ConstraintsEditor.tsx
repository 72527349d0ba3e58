import { Button, Text } from "@mantine/core";
import { randomId, useFocusWithin, useMergedRef } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { read } from "../api/request.ts";
import type { Constraint, ContextDefinition, Segment } from "../api/types.ts";
import { defaultEnvironment, environmentsQuery } from "../data/environments.ts";
import { contextsQuery, segmentsQuery } from "../data/project-lists.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useFocusIn } from "../ui/use-focus-in.ts";
import { constraintsOf } from "./constraints-of.ts";
import { NEW_CONSTRAINT } from "./edit-constraint.ts";
import { ConstraintRow } from "./ConstraintRow.tsx";
import classes from "./ConstraintsEditor.module.css";
import { usedValues } from "./used-values.ts";

/** The maximum number of constraints in a list that the server accepts. */
const MAX = 50;

const NO_FIELD_ERRORS = {};
const NONE: readonly Constraint[] = [];
const NO_DEFINITIONS: readonly ContextDefinition[] = [];

interface Props {
  projectId: number;
  value: readonly Constraint[];
  onChange: (value: Constraint[]) => void;
  /**
   * The messages of field errors by path within the list, such as `0.values`. The path of an error
   * of the whole list is empty.
   */
  fieldErrors?: Readonly<Record<string, string>> | undefined;
  /**
   * More constraints whose values the inputs suggest, besides those of the project. A new list
   * makes the editor count its values again.
   */
  related?: readonly Constraint[] | undefined;
  /** The content to show if there are no constraints. By default a text that says so. */
  empty?: ReactNode;
}

/** All constraints must hold. Each consists of a field, an operator and values. */
export function ConstraintsEditor({
  projectId,
  value,
  onChange,
  fieldErrors = NO_FIELD_ERRORS,
  related = NONE,
  empty,
}: Props) {
  const { t } = useTranslation();
  const { data: definitions, isError } = useQuery({
    ...contextsQuery(projectId),
    enabled: value.length > 0,
  });
  const { ids, setIds } = useIds(value.length);
  const errorsKey = JSON.stringify(fieldErrors);
  const fieldErrorsOf = useFieldErrors(value, fieldErrors, errorsKey);
  const { root, focus } = useFocusIn<HTMLDivElement>();
  const { ref: focusRef, focused } = useFocusWithin<HTMLDivElement>();
  const editorRef = useMergedRef(root, focusRef);
  const known = useKnownConstraints(projectId, focused);
  const usedValuesOf = useMemo(() => usedValues([...related, ...known]), [related, known]);

  useEffect(() => {
    if (errorsKey !== "{}")
      root.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errorsKey, root]);

  const insert = (at: number, constraint: Constraint) => {
    const id = randomId();
    setIds(ids.toSpliced(at, 0, id));
    onChange(value.toSpliced(at, 0, constraint));
    focus(`[data-row="${id}"] input`);
  };
  const remove = (at: number) => {
    const left = ids.toSpliced(at, 1);
    const neighbour = left[at] ?? left.at(-1);
    setIds(left);
    onChange(value.toSpliced(at, 1));
    focus(neighbour === undefined ? "[data-add]" : `[data-row="${neighbour}"] [data-remove]`);
  };
  const isFull = value.length >= MAX;

  return (
    <div ref={editorRef} className={classes.editor}>
      {value.length === 0 ? (
        <Text size="sm" c="dimmed" component="div">
          {empty ?? t("constraints.none")}
        </Text>
      ) : (
        value.length > 1 && (
          <Text size="sm" c="dimmed">
            {t("constraints.allHold")}
          </Text>
        )
      )}
      {fieldErrors[""] !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fieldErrors[""]}
        </Text>
      )}
      <ol className={classes.list}>
        {value.map((constraint, index) => (
          <li key={ids[index]} data-row={ids[index]} className={classes.item}>
            {index > 0 && (
              <Text size="xs" c="dimmed" fw={600} className={classes.and}>
                {t("constraints.and")}
              </Text>
            )}
            <ConstraintRow
              number={index + 1}
              constraint={constraint}
              onChange={(next) => onChange(value.with(index, next))}
              onDuplicate={isFull ? undefined : () => insert(index + 1, { ...constraint })}
              onRemove={() => remove(index)}
              definitions={isError ? NO_DEFINITIONS : definitions}
              usedValues={usedValuesOf(constraint)}
              fieldErrors={fieldErrorsOf(constraint)}
            />
          </li>
        ))}
      </ol>
      {isFull ? (
        <Text size="sm" c="dimmed">
          {t("constraints.full", { count: MAX })}
        </Text>
      ) : (
        <Button
          data-add
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => insert(value.length, { ...NEW_CONSTRAINT })}
          className={classes.add ?? ""}
        >
          {t("constraints.add")}
        </Button>
      )}
    </div>
  );
}

/**
 * Returns the React keys of the rows, and a function that replaces them. A row keeps its key when
 * the editor adds or removes another row.
 */
function useIds(count: number) {
  const [ids, setIds] = useState<readonly string[]>([]);
  if (ids.length === count) return { ids, setIds };
  const newIds = Array.from({ length: count }, (_, index) => ids[index] ?? randomId());
  setIds(newIds);
  return { ids: newIds, setIds };
}

/**
 * Returns a function that finds the field errors of a constraint. A constraint keeps its field
 * errors while other rows are added or removed, and loses them when it changes. `text` is
 * `fieldErrors` as JSON.
 */
function useFieldErrors(
  value: readonly Constraint[],
  fieldErrors: Readonly<Record<string, string>>,
  text: string,
) {
  const [found, setFound] = useState({ text, value });
  if (found.text !== text) setFound({ text, value });
  return (constraint: Constraint): Record<string, string> => {
    const prefix = `${found.value.indexOf(constraint)}.`;
    const own = Object.entries(fieldErrors).filter(([path]) => path.startsWith(prefix));
    return Object.fromEntries(own.map(([path, words]) => [path.slice(prefix.length), words]));
  };
}

/** Values are suggested from the constraints of at most this many flags: one page of the API. */
const MAX_FLAGS = 100;

/** The constraints of the flags of an environment that were changed last. */
const constraintsQuery = (environmentId: number) =>
  read(
    "/api/v1/flags/by-environment",
    { query: { environmentId, sort: "-updatedAt", size: MAX_FLAGS } },
    { select: ({ items }) => items.flatMap(({ strategy }) => constraintsOf(strategy)) },
  );

const NO_CONSTRAINTS: readonly Constraint[] = [];
const NO_SEGMENTS: readonly Segment[] = [];

/**
 * Returns constraints of the project: of its segments, and of its flags in the environment that
 * pages show first. Loads them only while `isNeeded`. The list stays the same until its data change.
 */
function useKnownConstraints(projectId: number, isNeeded: boolean): readonly Constraint[] {
  const { data: environments = [] } = useQuery({
    ...environmentsQuery(projectId),
    enabled: isNeeded,
  });
  const environmentId = defaultEnvironment(environments)?.id;
  const { data: ofFlags = NO_CONSTRAINTS } = useQuery({
    ...constraintsQuery(environmentId ?? 0),
    enabled: isNeeded && environmentId !== undefined,
  });
  const { data: segments = NO_SEGMENTS } = useQuery({
    ...segmentsQuery(projectId),
    enabled: isNeeded,
  });
  return useMemo(
    () => [...segments.flatMap(({ constraints }) => constraints), ...ofFlags],
    [segments, ofFlags],
  );
}
