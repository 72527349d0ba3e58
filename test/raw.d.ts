/** The text of the imported file. Vite inserts the text. */
declare module "*?raw" {
  const text: string;
  export default text;
}
