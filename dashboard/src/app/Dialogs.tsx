import { ModalsProvider } from "@mantine/modals";
import { useEffect } from "react";
import { ConfirmDialog } from "../shared/ui/ConfirmDialog.tsx";
import { markDialogsReady } from "../shared/ui/dialogs.ts";

/** The confirmation dialogs that `useQuestion` opens. */
export function Dialogs() {
  useEffect(markDialogsReady, []);
  return <ModalsProvider modals={MODALS}>{null}</ModalsProvider>;
}

const MODALS = { confirm: ConfirmDialog };
