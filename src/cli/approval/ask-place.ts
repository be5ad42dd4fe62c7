import type { StyledLine } from '../output/output-writer.js';
import type { TypedLine } from './choices.js';
import type { Menu } from './menu.js';

/** A place where permission requests are shown and answered, line by line. One is open at a time. */
export interface AskPlace {
  /**
   * Resolve when nobody is typing: no earlier key decides the request that is shown then.
   *
   * @param announcement shown at once if somebody is typing
   * @throws the signal's reason if the request is withdrawn meanwhile
   */
  open(announcement: string, signal: AbortSignal): Promise<OpenPlace>;
}

/** Lays out a text, with its choices, for a number of columns. */
export type LayLines = (columns: number) => {
  readonly lines: readonly StyledLine[];
  readonly menu?: Menu;
};

export interface OpenPlace {
  /** Columns that a line may take. */
  readonly columns: number;
  /**
   * @param menu the choices among the lines; a place without arrow keys passes over it
   * @param lay lays out the same text for another width, if the place can change its lines
   */
  show(lines: readonly StyledLine[], menu?: Menu, lay?: LayLines): void;
  /** Resolve with the next line; undefined if the terminal is closed. Earlier lines are discarded. */
  nextLine(): Promise<TypedLine | undefined>;
  /**
   * Let the person change a text in their own editor; absent if the person has none.
   *
   * @param name of the file
   * @throws Error if the editor fails
   */
  readonly edit?: ((text: string, name: string) => Promise<string>) | undefined;
  close(): void;
}
