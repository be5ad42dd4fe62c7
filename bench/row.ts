/** A line of the table; cells that make no sense are empty. */
export type Line = {
  readonly what: string;
  readonly floor: string;
  readonly ours: string;
  readonly ratio: string;
  readonly goal: string;
  /** The values that are compared with the goal: the ratios of the pairs, or what we took in each run. */
  readonly judged?: { readonly values: readonly number[]; readonly limit: number };
};

export type RowOptions = {
  /** Runs of each subject. */
  readonly pairs: number;
  /** The folder for CPU profiles of our runs; none if undefined. */
  readonly profileFolder: string | undefined;
  /** Time that rows over a time take. */
  readonly minutes: number;
};

/** One thing that is measured; named on the command line. */
export type Row = {
  readonly name: string;
  measure(options: RowOptions): Promise<readonly Line[]>;
};
