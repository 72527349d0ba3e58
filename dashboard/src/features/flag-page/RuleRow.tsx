import { Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconChartPie, IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, type Ref, useId } from "react";
import type { Flag, Serve } from "../../shared/api/types.ts";
import { variantColors } from "../../shared/flags/variant-colors.ts";
import { VariantLabel } from "../../shared/flags/VariantLabel.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./RuleRow.module.css";

interface Props {
  flag: Flag;
  /** The accessible name of the rule. It includes the number and the name, which are visible. */
  label: string;
  /** The place of the rule in the list, starting at 1. Undefined for the last rule. */
  number?: number;
  name?: string | null;
  sentence: string;
  serve: Serve;
  isOpen: boolean;
  onToggle: () => void;
  note?: ReactNode;
  /** What is before and after the button that opens the rule. */
  before?: ReactNode;
  after?: ReactNode;
  header?: Ref<HTMLDivElement>;
  /** The inputs of the rule, which are visible while it is open. */
  children: ReactNode;
}

/** A rule as one row with its sentence. A click on the row shows the inputs. */
export function RuleRow(props: Props) {
  const { flag, label, number, name, sentence, serve, isOpen, onToggle, note } = props;
  const { header, before, after, children } = props;
  const body = useId();
  return (
    <>
      <div ref={header} className={classes.header}>
        {before}
        <UnstyledButton
          className={classes.title ?? ""}
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={onToggle}
          data-title
        >
          <IconChevronDown
            size={16}
            stroke={1.75}
            aria-hidden
            className={classes.chevron}
            data-open={isOpen}
          />
          <VisuallyHidden>{label}</VisuallyHidden>
          {number !== undefined && (
            <span className={classes.number} aria-hidden>
              {number}
            </span>
          )}
          <span className={classes.words}>
            {name !== undefined && name !== null && (
              <Text span size="sm" fw={600} aria-hidden>
                {name}:{" "}
              </Text>
            )}
            <Text span size="sm">
              {sentence}
            </Text>
            {note}
          </span>
          <span className={classes.served} aria-hidden>
            <Served flag={flag} serve={serve} />
          </span>
        </UnstyledButton>
        {after}
      </div>
      <div id={body} hidden={!isOpen}>
        {isOpen && <div className={classes.body}>{children}</div>}
      </div>
    </>
  );
}

/** What a rule serves: on or off, a variant in its colour, or a split. */
function Served({ flag, serve }: Pick<Props, "flag" | "serve">) {
  const { t } = useTranslation();
  if ("weights" in serve)
    return (
      <>
        <IconChartPie size={14} stroke={1.75} />
        {t("rules.weights")}
      </>
    );
  const { variant } = serve;
  if (flag.valueType === "boolean" && (variant === "on" || variant === "off"))
    return t(`common.${variant}`);
  return <VariantLabel color={variantColors(flag.variants)(variant)}>{variant}</VariantLabel>;
}
