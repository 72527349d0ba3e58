import { Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { MAX_COMMENT } from "./Conversation.tsx";
import type { Verdict } from "./use-request-action.ts";

interface Props {
  verdict: Verdict;
  onCancel: () => void;
  onReview: (comment: string) => void;
}

/** Asks for a comment on an approval or a rejection. */
export function ReviewForm({ verdict, onCancel, onReview }: Props) {
  const { t } = useTranslation();
  const [comment, setComment] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onReview(comment);
      }}
    >
      <Stack>
        <Text size="sm">{t(`changeRequests.${verdict}Text`)}</Text>
        <Textarea
          label={`${t("changeRequests.comment")} (${t("common.optional")})`}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          maxLength={MAX_COMMENT}
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
        />
        <FormActions
          onCancel={onCancel}
          pending={false}
          submit={t(`changeRequests.${verdict}`)}
          color={verdict === "approve" ? "green" : "red"}
        />
      </Stack>
    </form>
  );
}
