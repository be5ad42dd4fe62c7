import { TroupeError } from '../../core/errors.js';

/** A team is invalid. The error has everything that is wrong with it, each with its place in the file. */
export class TeamFileError extends TroupeError {
  override readonly name = 'TeamFileError';
  readonly code = 'TEAM_FILE';
  /** Everything that is wrong, each with its place. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}
