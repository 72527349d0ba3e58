import { useState } from "react";
import type { Schemas } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { CallStep } from "./CallStep.tsx";
import { EnvironmentsStep } from "./EnvironmentsStep.tsx";
import { FlagStep } from "./FlagStep.tsx";
import { NewKey, KeyStep } from "./KeyStep.tsx";
import { StartCompleted } from "./StartCompleted.tsx";
import { Step } from "./Step.tsx";
import classes from "./Steps.module.css";
import { SwitchStep } from "./SwitchStep.tsx";
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
