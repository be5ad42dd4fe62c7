import { describe, expect, it } from 'vitest';
import { resumeCommand } from '../../../src/cli/run/resume-command.js';

describe('resumeCommand', () => {
  it.each([
    ['of a model that the session keeps', undefined, ''],
    ['of a model that was named', 'opus', ''],
    ['of a script', 'scripted:bg.yaml', ' --model scripted:bg.yaml'],
    [
      'of a script with a blank in its name',
      'scripted:my bg.yaml',
      " --model 'scripted:my bg.yaml'",
    ],
  ])('is a line to paste: %s', (_, model, more) => {
    expect(resumeCommand('troupe team run t.yaml', 'abc', model)).toBe(
      `troupe team run t.yaml --resume abc${more}`,
    );
  });
});
