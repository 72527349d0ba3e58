import { Code, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Explanation } from "@feature-flags/evaluation/explain";
import type { Environment } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { JsonValue } from "../../shared/json/JsonValue.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { Check, CheckList } from "./Check.tsx";
import classes from "./ExplanationView.module.css";
import { Prerequisites } from "./Prerequisites.tsx";
import { RuleChecks } from "./RuleChecks.tsx";
import { RuleList } from "./RuleList.tsx";
import type { RuleToExplain } from "./rules-to-explain.ts";
import type { FlagWithRule, KnownFlags } from "./use-flags-with-rules.ts";

interface Props {
  entry: FlagWithRule;
  explanation: Explanation;
  rules: readonly RuleToExplain[];
  /** The flags of the environment, among them the required ones. */
  entries: KnownFlags["entries"];
  environment: Environment;
}

/** The served value, the prerequisites, and the rules in order, each with what is met. */
export function ExplanationView({ entry, explanation, rules, entries, environment }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { flag, rule, color } = entry;
  const { verdict, prerequisites } = explanation;
  const [only, ...others] = rules;
  const isPlain = others.length === 0 && prerequisites.length === 0;
  const onOrOff = { environment: environment.name };
  return (
    <>
      <div className={classes.parts}>
        {rule.type !== undefined && (
          <Part title={t("playground.value")}>
            {verdict.variant === undefined ? (
              <Text size="sm">{t("playground.noValue")}</Text>
            ) : (
              <JsonValue
                value={verdict.value}
                label={t("playground.valueOfFlag", { flag: flag.name })}
              />
            )}
          </Part>
        )}
        <CheckList>
          <Check isMet={rule.enabled}>
            {rule.enabled
              ? t("playground.switchedOn", onOrOff)
              : t("playground.switchedOff", onOrOff)}
          </Check>
          {isPlain && only && <RuleChecks rule={only} color={color} />}
        </CheckList>
        {prerequisites.length > 0 && (
          <Part title={t("playground.prerequisites")}>
            <Prerequisites
              outcomes={prerequisites}
              entries={entries}
              environmentId={environment.id}
            />
          </Part>
        )}
        {!isPlain && others.length === 0 && only && (
          <Part title={t("playground.conditions")}>
            <CheckList>
              <RuleChecks rule={only} color={color} />
            </CheckList>
          </Part>
        )}
        {others.length > 0 && (
          <Part title={t("playground.rules")}>
            <RuleList rules={rules} color={color} />
          </Part>
        )}
      </div>
      <Group gap="md" mt="sm">
        <Text size="xs" c="dimmed">
          {t("playground.reasonCode")} <Code>{verdict.reason}</Code>
        </Text>
        <LinkAnchor
          size="xs"
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId: flag.id }}
          search={{ environment: environment.id }}
        >
          {t("playground.openFlag")}
        </LinkAnchor>
      </Group>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <h4 className={classes.title}>{title}</h4>
      {children}
    </div>
  );
}
