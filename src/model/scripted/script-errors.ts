import { TroupeError } from '../../core/errors.js';

/** The script has nothing to say to a request. The message says which agent asked, what is left and what came in. */
export class ScriptExhaustedError extends TroupeError {
  override readonly name = 'ScriptExhaustedError';
  readonly code = 'SCRIPT_EXHAUSTED';
}

/** A `${name}` for which nothing was captured before the step was taken. */
export class ScriptVariableError extends TroupeError {
  override readonly name = 'ScriptVariableError';
  readonly code = 'SCRIPT_VARIABLE';
  readonly variable: string;

  constructor(variable: string, known: readonly string[]) {
    super(
      `The script uses \${${variable}}, which has no value yet. Known here: ` +
        `${known.length === 0 ? 'nothing' : known.join(', ')}. Write $\${${variable}} for the text itself.`,
    );
    this.variable = variable;
  }
}
