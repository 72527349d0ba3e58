import { createTheme, Modal, Tooltip, ActionIcon } from "@mantine/core";

/**
 * The Mantine theme. It defines no colours and turns off Mantine's scroll lock, because Mantine
 * would write <style> elements for both. The content security policy blocks these elements, so
 * styles.css contains the colours and a scroll lock.
 */
export const theme = createTheme({
  cursorType: "pointer",
  defaultRadius: "md",
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" } }),
  },
});
