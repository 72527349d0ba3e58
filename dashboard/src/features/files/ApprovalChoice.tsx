import { Alert, Radio, Stack } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { FilePlan, ProtectedChoice } from "./file-requests.ts";

interface Props {
  approval: NonNullable<FilePlan["approval"]>;
  choice: ProtectedChoice;
  onChange: (choice: ProtectedChoice) => void;
}

const CHOICES = ["propose", "skip"] as const;

/** Says that the changes need an approval, and offers both ways out. */
export function ApprovalChoice({ approval, choice, onChange }: Props) {
  const { t } = useTranslation();
  const { list } = useFormat();
  return (
    <Alert
      color="orange"
      variant="light"
      title={t("files.approval", { environments: list(approval.environments) })}
    >
      <Radio.Group
        label={t("files.approvalText")}
        value={choice}
        onChange={(value) => onChange(value === "skip" ? "skip" : "propose")}
      >
        <Stack gap="xs" mt="xs">
          {CHOICES.map((one) => {
            const { applied, held, problem } = approval[one];
            return (
              <Radio
                key={one}
                value={one}
                disabled={problem !== null}
                label={t(`files.${one}.label`)}
                description={
                  problem === null
                    ? t(`files.${one}.text`, { applied, held })
                    : t(`files.${one}.problem`)
                }
              />
            );
          })}
        </Stack>
      </Radio.Group>
    </Alert>
  );
}
