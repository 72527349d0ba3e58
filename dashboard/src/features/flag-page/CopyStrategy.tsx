import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCopy } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { Strategy } from "../../shared/api/types.ts";
import { useIsProduction } from "../../shared/data/environments.ts";
import { ProductionStrip } from "../../shared/environments/ProductionStrip.tsx";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { asNewRules } from "./draft-rules.ts";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { MovesLine } from "./MovesLine.tsx";
import { StrategyTable } from "./StrategyTable.tsx";
import { differingFields } from "../../shared/strategy/fields.tsx";
import { contentOf, environmentOf } from "./strategy.ts";
import { useSaveStrategy } from "./use-save-strategy.ts";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Props {
  projectId: number;
  strategies: readonly Strategy[];
  segments: SegmentsById;
  from: Strategy;
  /** The strategy that is selected as the target of the copy when the dialog opens. */
  to: Strategy;
  onCopied: (environmentId: number) => void;
}

interface Opened {
  opened: boolean;
  onClose: () => void;
}

/** A button that opens the dialog. */
export function CopyStrategy(props: Props) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />}
        onClick={open}
      >
        {t("flag.copy.open")}
      </Button>
      <CopyDialog {...props} opened={isOpen} onClose={close} />
    </>
  );
}

/** A dialog that copies a strategy to another environment. It first shows the changed fields. */
export function CopyDialog({ opened, onClose, ...props }: Props & Opened) {
  const { t } = useTranslation();
  return (
    <FormModal
      title={t("flag.copy.title", { from: props.from.environmentName })}
      opened={opened}
      onClose={onClose}
      size="lg"
      isConfirmation
    >
      <CopyForm
        {...props}
        onCancel={onClose}
        onCopied={(environmentId) => {
          onClose();
          props.onCopied(environmentId);
        }}
      />
    </FormModal>
  );
}

function CopyForm({
  projectId,
  strategies,
  segments,
  from,
  to,
  onCancel,
  onCopied,
}: Props & { onCancel: () => void }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const isProduction = useIsProduction(projectId);
  const [targetId, setTargetId] = useState(to.environmentId);
  const [withState, setWithState] = useState(false);
  const [reason, setReason] = useState("");
  const { save, isPending, error, reset } = useSaveStrategy(projectId);
  const targets = strategies.filter(({ environmentId }) => environmentId !== from.environmentId);
  const target = targets.find(({ environmentId }) => environmentId === targetId) ?? to;
  // New ids of rules in each render would make a new query of `MovesLine`.
  const content = useMemo(() => {
    const copied = contentOf(from);
    return { ...copied, rules: asNewRules(copied.rules) };
  }, [from]);
  const change = { ...content, ...(withState && { enabled: from.enabled }) };
  const after = { ...target, ...change };
  const fields = differingFields(target, after);
  const environment = target.environmentName;

  const copy = async () => {
    try {
      const saved = await save({ strategy: target, change, reason });
      if (saved) notify.done(t("flag.copy.done", { from: from.environmentName, to: environment }));
      onCopied(target.environmentId);
    } catch {
      // Ignore the error here: the mutation returns it as `error`, and the form displays it.
    }
  };

  return (
    <form
      aria-busy={isPending}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void copy();
      }}
    >
      <Stack>
        {isProduction(target.environmentId) && <ProductionStrip environment={environment} />}
        {error && <ErrorAlert error={error} />}
        <EnvironmentSelect
          label={t("flag.copy.to")}
          environments={targets.map(environmentOf)}
          value={target.environmentId}
          onChange={(id) => {
            setTargetId(id);
            reset();
          }}
        />
        <Checkbox
          label={t("flag.copy.withState", {
            state: t(from.enabled ? "common.on" : "common.off"),
          })}
          checked={withState}
          onChange={({ currentTarget }) => setWithState(currentTarget.checked)}
        />
        {fields.length === 0 ? (
          <Text size="sm" role="status">
            {t("flag.copy.same", { from: from.environmentName, to: environment })}
          </Text>
        ) : (
          <>
            <StrategyTable
              caption={t("flag.changes")}
              left={{ title: t("flag.nowIn", { environment }), strategy: target }}
              right={{ title: t("flag.copy.after"), strategy: after }}
              segments={segments}
              fields={fields}
            />
            <MovesLine strategy={target} values={change} canSave segments={segments} />
            <ReasonInput value={reason} onChange={setReason} />
          </>
        )}
        <DialogFooter>
          <Button variant="default" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
          {fields.length > 0 && (
            <Button type="submit" loading={isPending}>
              {t("flag.copy.submit", { environment })}
            </Button>
          )}
        </DialogFooter>
      </Stack>
    </form>
  );
}
