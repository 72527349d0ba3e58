import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConstraintsEditor } from "../../shared/constraints/ConstraintsEditor.tsx";
import { RollOutInput } from "./RollOutInput.tsx";
import { SegmentsInput } from "./SegmentsInput.tsx";
import { StickinessInput } from "./StickinessInput.tsx";
import type { ErrorsByPath, StrategyErrors } from "./strategy-errors.ts";
import {
  CONTENT_FIELDS,
  type ContentField,
  type SegmentsById,
  type StrategyContent,
} from "./strategy.ts";
import classes from "./StrategyFields.module.css";

interface InputProps<F extends ContentField> {
  projectId: number;
  segments: SegmentsById;
  values: StrategyContent;
  value: StrategyContent[F];
  onChange: (value: StrategyContent[F]) => void;
  /** The first error message of the strategy field. Undefined if the field is valid. */
  error: string | undefined;
  fieldErrors: ErrorsByPath | undefined;
}

interface FieldInput<F extends ContentField> {
  /**
   * The width of the input. Two inputs of half width share a row. Each input of full width has a
   * row of its own below these.
   */
  width: "half" | "full";
  Input: (props: InputProps<F>) => ReactNode;
}

/** The input component and its width, by strategy field. */
const INPUTS: { readonly [F in ContentField]: FieldInput<F> } = {
  percentage: {
    width: "half",
    Input: RollOutInput,
  },
  stickiness: {
    width: "half",
    Input: ({ values: { percentage }, ...props }) => (
      <StickinessInput {...props} hasNoEffect={percentage === 0 || percentage === 100} />
    ),
  },
  constraints: {
    width: "full",
    Input: ConstraintsInput,
  },
  segmentIds: {
    width: "full",
    Input: SegmentsInput,
  },
};

interface Props {
  projectId: number;
  segments: SegmentsById;
  values: StrategyContent;
  onChange: (change: Partial<StrategyContent>) => void;
  fieldErrors: StrategyErrors;
}

export function StrategyFields(props: Props) {
  const inputs = (width: "half" | "full") =>
    CONTENT_FIELDS.filter((field) => INPUTS[field].width === width).map((field) => (
      <OneField key={field} {...props} field={field} value={props.values[field]} />
    ));
  return (
    <Stack gap="lg">
      <div className={classes.pair}>{inputs("half")}</div>
      {inputs("full")}
    </Stack>
  );
}

function OneField<F extends ContentField>({
  field,
  onChange,
  fieldErrors,
  ...props
}: Props & { field: F; value: StrategyContent[F] }) {
  const { Input }: FieldInput<F> = INPUTS[field];
  const errors = fieldErrors[field];
  return (
    <Input
      {...props}
      onChange={(value) => onChange({ [field]: value })}
      error={errors && Object.values(errors)[0]}
      fieldErrors={errors}
    />
  );
}

function ConstraintsInput({ projectId, value, onChange, fieldErrors }: InputProps<"constraints">) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t("strategy.constraints.label")}</legend>
      <ConstraintsEditor
        projectId={projectId}
        value={value}
        onChange={onChange}
        fieldErrors={fieldErrors}
        empty={t("flag.constraintsNone")}
      />
    </fieldset>
  );
}
