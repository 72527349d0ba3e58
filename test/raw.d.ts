/** The text of a file. Vite reads it. */
declare module "*?raw" {
  const text: string;
  export default text;
}
