import { Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, use, useMemo } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { ConstraintsEditor } from "../../shared/constraints/ConstraintsEditor.tsx";
import { constraintsOf } from "../../shared/constraints/constraints-of.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import {
  type Activation,
  forTexts,
  type TextField,
  TEXTS,
} from "../../shared/strategy/settings.ts";
import { WithHelp } from "../../shared/ui/HelpButton.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { AdvancedFields } from "./AdvancedFields.tsx";
import { ManagedFieldsContext } from "./use-managed-fields.ts";
import { ManagedMark } from "./Managed.tsx";
import managedClasses from "./Managed.module.css";
import { RollOutInput } from "./RollOutInput.tsx";
import { SegmentsInput } from "./SegmentsInput.tsx";
import { ServeInput } from "./ServeInput.tsx";
import { StickinessInput } from "./StickinessInput.tsx";
import type { ErrorsByPath, FieldErrors } from "./strategy-errors.ts";
import classes from "./StrategyFields.module.css";

type ActivationField = keyof Activation;

interface InputProps<T> {
  flag: Flag;
  segments: SegmentsById;
  values: Activation;
  value: T;
  onChange: (value: T) => void;
  /** The first error message of the field. Undefined if the field is valid. */
  error: string | undefined;
  fieldErrors: ErrorsByPath | undefined;
}

type Place = "rollOut" | "conditions" | "serve" | "advanced";

interface FieldInput<T> {
  place: Place;
  /** Whether the field has an effect. By default, it always has. */
  isShown?: (values: Activation) => boolean;
  Input: (props: InputProps<T>) => ReactNode;
}

const texts = forTexts((field): FieldInput<string | null> => ({
  place: "advanced",
  Input: (props) => <TextFieldInput {...props} field={field} />,
}));

const isSplit = ({ serve }: Activation): boolean => "weights" in serve;

/** The inputs of the fields, in the order of the page. */
const INPUTS: { readonly [F in ActivationField]: FieldInput<Activation[F]> } = {
  exactPercentage: { place: "rollOut", Input: RollOutInput },
  constraints: { place: "conditions", Input: ConstraintsInput },
  segmentIds: {
    place: "conditions",
    Input: ({ flag, ...props }) => <SegmentsInput projectId={flag.projectId} {...props} />,
  },
  serve: { place: "serve", Input: ServeInput },
  ...texts,
  stickiness: { place: "advanced", Input: RollOutStickiness },
  splitKey: { ...texts.splitKey, isShown: isSplit },
  splitStickiness: { place: "advanced", isShown: isSplit, Input: SplitStickiness },
};

interface Props {
  flag: Flag;
  segments: SegmentsById;
  values: Activation;
  onChange: (change: Partial<Activation>) => void;
  fieldErrors: FieldErrors;
  /** Whether the inputs belong to an ordered rule. Its conditions come before its roll-out. */
  isRule?: boolean;
  hasServe: boolean;
  /** A button in the row of the button for advanced fields. */
  beside?: ReactNode;
}

/** The inputs of what a strategy and an ordered rule have in common. */
export function StrategyFields({ isRule = false, hasServe, beside, ...props }: Props) {
  const fields = fieldsShown(props.values);
  const managed = use(ManagedFieldsContext);
  const inputs = (place: Place) =>
    fields
      .filter((field) => INPUTS[field].place === place)
      .map((field) => {
        const input = <OneField key={field} {...props} field={field} value={props.values[field]} />;
        // A file owns all ordered rules as one field.
        if (isRule || !managed.has(field)) return input;
        return (
          <div key={field} className={managedClasses.field}>
            <div>{input}</div>
            <ManagedMark managed={managed.get(field)} />
          </div>
        );
      });
  const advanced = fields.filter((field) => INPUTS[field].place === "advanced");
  const rollOut = (
    <div key="rollOut" className={classes.pair}>
      {inputs("rollOut")}
      {hasServe && inputs("serve")}
    </div>
  );
  return (
    <Stack gap="lg">
      {isRule ? [inputs("conditions"), rollOut] : [rollOut, inputs("conditions")]}
      <AdvancedFields
        isUsed={advanced.some((field) => props.values[field] !== null)}
        beside={beside}
        hasErrors={advanced.some((field) => props.fieldErrors[field] !== undefined)}
      >
        <div className={classes.pair}>{inputs("advanced")}</div>
      </AdvancedFields>
    </Stack>
  );
}

const fieldsShown = (values: Activation): ActivationField[] =>
  (Object.keys(INPUTS) as ActivationField[]).filter(
    (field) => INPUTS[field].isShown?.(values) ?? true,
  );

function OneField<F extends ActivationField>({
  field,
  value,
  onChange,
  fieldErrors,
  ...props
}: Omit<Props, "isRule" | "hasServe" | "beside"> & { field: F; value: Activation[F] }) {
  const { Input }: FieldInput<Activation[F]> = INPUTS[field];
  const errors = fieldErrors[field];
  return (
    <Input
      {...props}
      value={value}
      onChange={(changed) => onChange({ [field]: changed })}
      error={errors && Object.values(errors)[0]}
      fieldErrors={errors}
    />
  );
}

function ConstraintsInput({
  flag,
  value,
  values,
  onChange,
  fieldErrors,
}: InputProps<Activation["constraints"]>) {
  const { t } = useTranslation();
  const { data: strategies } = useQuery(strategiesQuery(flag.id));
  const related = useMemo(() => strategies?.flatMap(constraintsOf), [strategies]);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t("strategy.constraints.label")}</legend>
      <ConstraintsEditor
        projectId={flag.projectId}
        value={value}
        onChange={onChange}
        fieldErrors={fieldErrors}
        related={related}
        empty={t(
          values.segmentIds.length > 0 ? "flag.constraintsNoneInSegments" : "flag.constraintsNone",
        )}
      />
    </fieldset>
  );
}

function RollOutStickiness({ flag, values, ...props }: InputProps<string | null>) {
  const { t } = useTranslation();
  const hasNoEffect = values.exactPercentage === 0 || values.exactPercentage === 100;
  return (
    <StickinessInput
      {...props}
      projectId={flag.projectId}
      label={t("strategy.stickiness.label")}
      description={
        <>
          {t("strategy.stickiness.hint")}
          {hasNoEffect && !isSplit(values) && ` ${t("flag.stickinessIdle")}`}
        </>
      }
      placeholder={t("flag.stickinessDefault")}
    />
  );
}

function SplitStickiness({ flag, ...props }: InputProps<string | null>) {
  const { t } = useTranslation();
  return (
    <StickinessInput
      {...props}
      projectId={flag.projectId}
      label={t("strategy.splitStickiness.label")}
      description={t("strategy.splitStickiness.hint")}
      placeholder={t("rules.asRollOut")}
    />
  );
}

/** The maximum length of a text, such as a hash key, in characters. The API rejects longer ones. */
const MAX_TEXT = 128;

function TextFieldInput({
  field,
  flag,
  value,
  onChange,
  error,
}: InputProps<string | null> & { field: TextField }) {
  const { t } = useTranslation();
  const label = t(`strategy.${field}.label`);
  const input = (
    <TextInput
      label={label}
      placeholder={TEXTS[field] === "rules.flagKey" ? flag.key : t(TEXTS[field])}
      value={value ?? ""}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === "" ? null : currentTarget.value)
      }
      maxLength={MAX_TEXT}
      spellCheck={false}
      autoCapitalize="off"
      error={error}
    />
  );
  return (
    <WithHelp about={label} input={input}>
      {t(`strategy.${field}.hint`)}
    </WithHelp>
  );
}
