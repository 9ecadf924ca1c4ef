/** Colours a text of the terminal, or leaves it as it is. */
export type Paint = (colour: 'red' | 'green' | 'yellow' | 'bold', text: string) => string;

/** Leaves every text as it is: for files, and for terminals without colours. */
export const plain: Paint = (_, text) => text;
