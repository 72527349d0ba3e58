import { Text, VisuallyHidden, Paper, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState, type ReactNode, useEffect, useRef } from "react";
import type { Schemas, Flag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { CallStep } from "./CallStep.tsx";
import { EnvironmentsStep, SwitchStep, FlagStep, NewKey, KeyStep } from "./Steps.tsx";
import classes from "./Steps.module.css";
import { useProgress, type Progress } from "./use-progress.ts";

/**
 * The page of the guided start. Its steps lead from an empty project to the first evaluation of a
 * flag.
 */
export function StartPage() {
  const { t } = useTranslation();
  const { progress, error, retry } = useProgress(useProjectId());
  return (
    <>
      <PageHeader title={t("start.title")} description={t("start.description")} />
      {error && <ErrorAlert error={error} onRetry={retry} />}
      {progress && <Steps progress={progress} />}
      {!progress && !error && <Loading />}
    </>
  );
}

/**
 * The steps of the guided start. A step is done when the project has its result, such as a flag.
 * The last step is also done after the user has evaluated the flag on this page. The first step
 * that is not done is open. The last step is also open once the user has created an API key on this
 * page.
 */
function Steps({ progress }: { progress: Progress }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { environments, flag, isOn, keys, isCalled } = progress;
  // Keep the created API key in memory while the page is open, because the service returns its
  // secret only once.
  const [created, setCreated] = useState<Schemas["CreatedApiKey"]>();
  const [isEvaluated, setEvaluated] = useState(false);
  const [environment] = environments;
  const key = keys.find(({ id }) => id === created?.id) ?? keys[0];

  const done = {
    environments: environment !== undefined,
    flag: flag !== undefined,
    on: isOn,
    key: key !== undefined,
    call: isCalled || isEvaluated,
  };
  const order = ["environments", "flag", "on", "key", "call"] as const;
  const current = order.find((step) => !done[step]);
  const [wasDone] = useState(current === undefined);
  const stepOf = (name: (typeof order)[number]) => ({
    number: order.indexOf(name) + 1,
    title: t(`start.steps.${name}.title`),
    isDone: done[name],
    isCurrent: current === name,
  });

  return (
    <>
      <ol className={classes.steps}>
        <Step
          {...stepOf("environments")}
          summary={list(environments.map(({ name }) => name))}
          text={t("start.steps.environments.text")}
        >
          <EnvironmentsStep />
        </Step>
        <Step {...stepOf("flag")} summary={flag?.name} text={t("start.steps.flag.text")}>
          <FlagStep />
        </Step>
        <Step
          {...stepOf("on")}
          summary={environment && t("start.isOn", { environment: environment.name })}
          text={t("start.steps.on.text")}
        >
          {flag && environment && <SwitchStep flag={flag} environment={environment} />}
        </Step>
        <Step
          {...stepOf("key")}
          summary={
            created ? (
              <NewKey secret={created.apiKey} />
            ) : (
              key && `${key.name} · ${t(`apiKeys.typeChoices.${key.keyType}`)}`
            )
          }
          text={t("start.steps.key.text")}
        >
          {environment && <KeyStep environment={environment} onCreated={setCreated} />}
        </Step>
        <Step
          {...stepOf("call")}
          summary={created ? undefined : t("start.called")}
          isOpen={created !== undefined}
          text={t("start.steps.call.text")}
        >
          {key && (
            <CallStep
              keyType={key.keyType}
              secret={created?.apiKey}
              flag={flag}
              isCalled={done.call}
              onEvaluated={() => setEvaluated(true)}
            />
          )}
        </Step>
      </ol>
      {current === undefined && flag && <StartCompleted flag={flag} isNew={!wasDone} />}
    </>
  );
}

interface Props {
  number: number;
  title: string;
  isDone: boolean;
  isCurrent: boolean;
  /** Whether the content of the step is shown even if the step is not the current one. */
  isOpen?: boolean;
  /** The result, such as the name of the created flag. Shown when the step is done. */
  summary: ReactNode;
  /** The explanation of the step. Shown while the step is the current one. */
  text: string;
  children: ReactNode;
}

function Step({
  number,
  title,
  isDone,
  isCurrent,
  isOpen = false,
  summary,
  text,
  children,
}: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const wasCurrent = useRef(isCurrent);
  // When this step becomes the current one, focus its heading, because the focused button of the
  // previous step is gone.
  useEffect(() => {
    if (isCurrent && !wasCurrent.current) heading.current?.focus();
    wasCurrent.current = isCurrent;
  }, [isCurrent]);

  return (
    <li
      className={classes.step}
      data-current={isCurrent || undefined}
      data-done={isDone || undefined}
      aria-current={isCurrent ? "step" : undefined}
    >
      <span className={classes.mark} aria-hidden>
        {isDone ? <IconCheck size={18} stroke={2.5} /> : number}
      </span>
      <div>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {title}
          {isDone && <VisuallyHidden> {t("start.done")}</VisuallyHidden>}
        </h2>
        {isDone && (
          <Text size="sm" c="dimmed" component="div">
            {summary}
          </Text>
        )}
        {isCurrent && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        {(isCurrent || isOpen) && <div className={classes.content}>{children}</div>}
      </div>
    </li>
  );
}

interface StartCompletedProps {
  flag: Flag;
  /** True if the user completed the last step just now. The page then scrolls here. */
  isNew: boolean;
}

/** The card that is shown when all steps of the guided start are done. Links to the next tasks. */
function StartCompleted({ flag, isNew }: StartCompletedProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: "nearest" });
  }, [isNew]);
  const projectId = useProjectId();
  return (
    <Paper ref={card} withBorder radius="md" p="lg" mt="lg" maw="48rem">
      <div role="status">
        <Title order={2} size="h4">
          {t("start.allDone")}
        </Title>
        <Text size="sm" c="dimmed" mt={4} mb="md">
          {t("start.allDoneText")}
        </Text>
      </div>
      <div className={classes.links}>
        <LinkButton to="/projects/$projectId/flags/$flagId" params={{ projectId, flagId: flag.id }}>
          {t("start.toFlag", { flag: flag.name })}
        </LinkButton>
        <LinkButton variant="default" to="/projects/$projectId/playground" params={{ projectId }}>
          {t("start.toPlayground")}
        </LinkButton>
        <LinkButton variant="default" to="/projects/$projectId/flags" params={{ projectId }}>
          {t("start.toFlags")}
        </LinkButton>
      </div>
    </Paper>
  );
}
