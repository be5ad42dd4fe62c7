import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { parseCommandLine } from '../../../src/cli/arguments/command-line.js';
import { findCommand } from '../../../src/cli/command-table/find-command.js';
import { readTeamRun } from '../../../src/cli/run/read-team-run.js';
import { run } from '../../../src/cli/dispatch.js';

const parse = (line: string) => readTeamRun(findCommand(parseCommandLine(line.split(' '))).line);

describe('troupe team', () => {
  it('runs a file with inputs and the flags of a run', () => {
    const line =
      'team run a.yaml --input base=main --input query=a=b --report r.json --json --model haiku --trust';
    expect(parse(line)).toMatchObject({
      file: 'a.yaml',
      isJson: true,
      inputs: { base: 'main', query: 'a=b' },
      report: 'r.json',
      run: { model: 'haiku', trustsFolder: true, prompt: undefined, resume: undefined },
    });
    expect(parse('team run a.yaml --max-concurrent-agents 3')).toMatchObject({
      run: { maxConcurrentAgents: 3 },
    });
    expect(parse('team run a.yaml -r 1234')).toMatchObject({ run: { resume: '1234' } });
  });

  it.each([
    ['team', /^team needs one of run, validate\. Usage: troupe team run FILE /],
    ['team start a.yaml', /^team has no "start", only run, validate\./],
    ['team run', /^team run needs FILE\. Usage: troupe team run FILE \[--input/],
    ['team run a.yaml b.yaml', /^team run takes no "b\.yaml"\. Usage: /],
    ['team validate a.yaml --model haiku', /^team validate takes no --model, only --json and/],
    ['team run a.yaml --continue', /^team run takes no --continue, only/],
    ['team run a.yaml --input base', /^--input: "base" is not NAME=VALUE, such as/],
    ['team run a.yaml --input =x', /^--input: "=x" is not NAME=VALUE/],
    ['team run a.yaml --input a=1 --input a=2', /^--input: "a" was given twice\./],
    ['team run a.yaml --input a=1 --resume x', /keeps its inputs: remove --input\.$/],
    ['-p hi --input a=1', /^A run takes no --input\./],
  ])('%s is refused', async (line, message) => {
    const running = run(line.split(' '));
    await expect(running).rejects.toThrow(UsageError);
    await expect(running).rejects.toThrow(message);
  });
});
