import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { createGate } from '../../support/gate.js';
import { createWaitTool } from '../../support/probe-tools.js';
import {
  createListener,
  createScheduleWorld,
  cronCall,
  DAY,
  findKind,
  HOUR,
  MINUTE,
  nextIdle,
  readSchedule,
} from '../../support/schedule-world.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { newestTold, teammateCall } from '../../support/team-script.js';
import { ALLOW_ALL, createFolder, defineAgent } from '../../support/troupe.js';

const START = { prompt: 'Go.', staysOpen: true };

describe('a scheduled prompt', () => {
  it('wakes an idle agent at each of its times', async () => {
    const { told, hear } = createListener();
    const script = playParts({ main: [{ tools: [cronCall('*/5 * * * *')] }, hear] });
    const { troupe, advance } = await createScheduleWorld(script);
    const session = troupe.session(START);
    await nextIdle(session);
    for (const ms of [5 * MINUTE, 5 * MINUTE]) {
      const idle = nextIdle(session);
      advance(ms);
      await idle;
    }
    const [result = '', ...blocks] = told;
    const [, id = ''] = /^Scheduled as (cron-[0-9a-z]{8}): /.exec(result) ?? [];
    expect(result).toBe(`Scheduled as ${id}: next 2030-01-01 00:05 (UTC), until 2030-01-08 00:00.`);
    const at = (time: string): string =>
      `<scheduled-prompt id="${id}" cron="*/5 * * * *" time="2030-01-01 ${time} UTC">\nLook.\n</scheduled-prompt>`;
    expect(blocks).toEqual([at('00:05'), at('00:10')]);
  });

  it('comes once for all times that were missed, and says that it is late', async () => {
    const { told, hear } = createListener();
    const script = playParts({ main: [{ tools: [cronCall('*/5 * * * *')] }, hear] });
    const { troupe, advance } = await createScheduleWorld(script);
    const session = troupe.session(START);
    await nextIdle(session);
    const idle = nextIdle(session);
    advance(3 * HOUR + 2 * MINUTE); // the machine slept
    await idle;
    expect(told.slice(1)).toEqual([
      expect.stringMatching(
        /time="2030-01-01 00:05 UTC">\nLook\.\n<\/scheduled-prompt>\n\(It comes late, at 2030-01-01 03:02; what was missed comes once\.\)$/,
      ),
    ]);
    expect(findKind(troupe.inspect(), 'cronEntry')[0]?.waitingFor).toEqual([
      `2030-01-01T03:05:00.000Z for ${session.agentId}`,
    ]);
  });

  it('reaches an agent that works at its next tool boundary, once', async () => {
    const [began, held] = [createGate(), createGate()];
    const tool = createWaitTool(() => {
      began.open();
      return held.opened;
    });
    const { told, hear } = createListener();
    const script = playParts({
      main: [{ tools: [cronCall('* * * * *')] }, { tools: [{ name: 'Wait', input: {} }] }, hear],
    });
    const { troupe, advance } = await createScheduleWorld(script, { tools: [tool] });
    const session = troupe.session(START);
    const idle = nextIdle(session);
    await began.opened;
    for (let minute = 0; minute < 3; minute += 1) advance(MINUTE);
    held.open();
    await idle;
    expect(told).toEqual([
      expect.stringMatching(
        /^waited \n<scheduled-prompt [^>]+time="2030-01-01 00:01 UTC">\nLook\.\n<\/scheduled-prompt>$/,
      ),
    ]);
  });

  it('comes only once if it does not recur', async () => {
    const { told, hear } = createListener();
    const script = playParts({
      main: [{ tools: [cronCall('30 9 * * *', { recurring: false })] }, hear],
    });
    const { troupe, advance } = await createScheduleWorld(script);
    const session = troupe.session(START);
    await nextIdle(session);
    const idle = nextIdle(session);
    advance(9.5 * HOUR);
    await idle;
    advance(2 * DAY);
    expect(told).toEqual([
      expect.stringContaining('next 2030-01-01 09:30 (UTC), once.'),
      expect.stringMatching(/Look\.\n<\/scheduled-prompt>$/),
    ]);
    expect(findKind(troupe.inspect(), 'scheduler')).toMatchObject([
      { state: 'empty', waitingFor: [], children: [] },
    ]);
    expect(readSchedule(session).map(({ type }) => type)).toEqual(['cron.created', 'cron.ended']);
  });

  it('expires after seven days and says so the last time', async () => {
    const { told, hear } = createListener();
    const script = playParts({ main: [{ tools: [cronCall('0 12 * * *')] }, hear] });
    const { troupe, advance } = await createScheduleWorld(script);
    const session = troupe.session(START);
    await nextIdle(session);
    advance(12 * HOUR - 1);
    for (let day = 0; day < 7; day += 1) {
      const idle = nextIdle(session);
      advance(day === 0 ? 1 : DAY);
      await idle;
    }
    const last = 'This was its last time: create it again to continue.';
    expect(told.slice(1).map((text) => text.includes(last))).toEqual([
      ...Array<boolean>(6).fill(false),
      true,
    ]);
    expect(findKind(troupe.inspect(), 'cronEntry')).toEqual([]);
  });

  it('keeps to the clocks of its zone', async () => {
    const { told, hear } = createListener();
    const script = playParts({ main: [{ tools: [cronCall('30 2 * * *')] }, hear] });
    const start = Date.UTC(2030, 2, 30, 12);
    const world = { timeZone: 'Europe/Berlin', start };
    const { troupe, advance, now } = await createScheduleWorld(script, world);
    const session = troupe.session(START);
    await nextIdle(session);
    const came: string[] = [];
    for (const hours of [13, 23.5]) {
      const idle = nextIdle(session);
      advance(hours * HOUR - 1);
      expect(told).toHaveLength(came.length + 1);
      advance(1);
      await idle;
      came.push(new Date(now()).toISOString());
    }
    expect(came).toEqual(['2030-03-31T01:00:00.000Z', '2030-04-01T00:30:00.000Z']);
    expect(told[1]).toContain('time="2030-03-31 03:00 Europe/Berlin"'); // 2:30 was skipped
  });

  it.each([
    [
      cronCall('0 25 * * *'),
      'Nothing was changed: cron "0 25 * * *", column 3 (hour): "25" is not within 0-23. For example, "*/15 9-17 * * 1-5" is every 15 minutes from 9:00 to 17:45, Monday to Friday.',
    ],
    [
      cronCall('0 9 1 3 *'),
      'Nothing was changed: cron "0 9 1 3 *" comes first at 2030-03-01 09:00, and what recurs expires after 7 days. With recurring: false it comes once then.',
    ],
    [
      cronCall('0 0 31 2 *', { recurring: false }),
      'Nothing was changed: cron "0 0 31 2 *" names a day that never comes.',
    ],
    [
      { name: 'CronDelete', input: { id: 'cron-none' } },
      'Nothing was changed: no scheduled prompt of yours is called "cron-none". You have none.',
    ],
  ])('is refused if it cannot be: %j', async (call, message) => {
    const { told, hear } = createListener();
    const { troupe } = await createScheduleWorld(playParts({ main: [{ tools: [call] }, hear] }));
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(told).toEqual([message]);
  });

  it('is one of fifty at most', async () => {
    const results: string[] = [];
    const script = playParts({
      main: [
        { tools: Array.from({ length: 51 }, () => cronCall('0 9 * * *')) },
        ({ messages }: ModelRequest) => {
          results.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
      ],
    });
    const { troupe } = await createScheduleWorld(script);
    const session = troupe.session(START);
    await nextIdle(session);
    expect(results.filter((text) => text.startsWith('Scheduled as '))).toHaveLength(50);
    expect(results.at(-1)).toBe(
      'Nothing was changed: you have 50 scheduled prompts, which is the most: delete one with CronDelete.',
    );
    expect(findKind(troupe.inspect(), 'cronEntry')).toHaveLength(50);
  });

  it('is listed, shown, and deleted', async () => {
    const heard: string[] = [];
    const script = playParts({
      main: [
        { tools: [cronCall('0 9 * * *', { prompt: 'Look\nat it.' })] },
        { tools: [{ name: 'CronList', input: {} }] },
        { text: 'Scheduled.' },
        ({ messages }: ModelRequest) => {
          const [, id = ''] = /(cron-[0-9a-z]{8})/.exec(JSON.stringify(messages)) ?? [];
          return { tools: [{ name: 'CronDelete', input: { id } }] };
        },
        (request: ModelRequest) => {
          heard.push(newestTold(request));
          return { tools: [{ name: 'CronList', input: {} }] };
        },
        (request: ModelRequest) => {
          heard.push(newestTold(request));
          return { text: 'Deleted.' };
        },
      ],
    });
    const { troupe, advance, armed } = await createScheduleWorld(script);
    const session = troupe.session(START);
    await nextIdle(session);
    const [entry] = findKind(troupe.inspect(), 'cronEntry');
    expect(entry).toEqual({
      id: expect.stringMatching(/^cron-[0-9a-z]{8}$/) as string,
      kind: 'cronEntry',
      label: '0 9 * * * Look\nat it.',
      state: 'waiting',
      since: Date.UTC(2030, 0, 1),
      waitingFor: [`2030-01-01T09:00:00.000Z for ${session.agentId}`],
      children: [],
    });
    expect(findKind(troupe.inspect(), 'scheduler')[0]?.waitingFor).toEqual([
      `the time of ${entry?.id}`,
    ]);
    const idle = nextIdle(session);
    await session.prompt('Delete it.');
    await idle;
    expect(heard).toEqual([
      `${entry?.id} is deleted: it will not come again.`,
      'Nothing is scheduled.',
    ]);
    expect(armed.size).toBe(0);
    advance(DAY);
    expect(session.status).toBe('running');
  });

  it('does not keep a session that has nothing else to do, and says so', async () => {
    const { told, hear } = createListener();
    const script = playParts({ main: [{ tools: [cronCall('* * * * *')] }, hear] });
    const { troupe, armed, advance } = await createScheduleWorld(script);
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Seen.' });
    advance(HOUR);
    expect(told).toEqual([
      expect.stringContaining(
        'until 2030-01-08 00:00. It does not keep you alive: when you have nothing left to do you end, and it ends with you.',
      ),
    ]);
    expect(findKind(troupe.inspect(), 'cronEntry')).toEqual([]);
    await troupe.close();
    expect(armed.size).toBe(0);
  });

  it('ends with the sub-agent that made it', async () => {
    const script = playParts({
      main: [{ tools: [agentCall('worker')] }, { text: 'Done.' }],
      worker: [{ tools: [cronCall('* * * * *')] }, { text: 'Ended.' }],
    });
    const { troupe, armed } = await createScheduleWorld(script, {
      agents: [defineAgent('worker')],
    });
    const session = troupe.session(START);
    await nextIdle(session);
    expect(findKind(troupe.inspect(), 'cronEntry')).toEqual([]);
    expect(readSchedule(session).map(({ type }) => type)).toEqual(['cron.created', 'cron.ended']);
    expect(armed.size).toBe(0);
  });
});

describe('a session that is continued', () => {
  /** A session with an hourly entry that has come once, closed; and the way to resume it. */
  async function scheduleOnce() {
    const { told, hear } = createListener();
    const script = playParts({ main: [{ tools: [cronCall('0 * * * *')] }, hear] });
    const world = await createScheduleWorld(script);
    const session = world.troupe.session(START);
    await nextIdle(session);
    const idle = nextIdle(session);
    world.advance(HOUR);
    await idle;
    await world.troupe.close();
    expect(world.armed.size).toBe(0);
    const goOn = () => {
      const { cwd, home, clock, now, env } = world;
      const model = createScriptedModel(playParts({ main: [hear] }));
      const troupe = createOrchestrator({
        cwd,
        home,
        clock,
        now,
        env,
        model,
        permissions: ALLOW_ALL,
      });
      onTestFinished(() => troupe.close());
      return { troupe, resumed: troupe.session({ resume: session.sessionId, staysOpen: true }) };
    };
    const file = join(session.directory, 'schedule.jsonl');
    return { ...world, session, told, goOn, file };
  }

  it('keeps what its agent had scheduled, and what was missed meanwhile comes once', async () => {
    const { told, goOn, advance } = await scheduleOnce();
    advance(3.5 * HOUR);
    const { troupe, resumed } = goOn();
    await expect.poll(() => findKind(troupe.inspect(), 'cronEntry')).toHaveLength(1);
    const late = nextIdle(resumed);
    advance(0);
    await late;
    expect(told.slice(2)).toEqual([
      expect.stringMatching(
        /time="2030-01-01 02:00 UTC">[^(]+\(It comes late, at 2030-01-01 04:30;/,
      ),
    ]);
    expect(findKind(troupe.inspect(), 'cronEntry')[0]?.waitingFor).toEqual([
      `2030-01-01T05:00:00.000Z for ${resumed.agentId}`,
    ]);
    const idle = nextIdle(resumed);
    advance(HOUR / 2);
    await idle;
    expect(told).toHaveLength(4);
  });

  it('does not come again if it came right before its process was killed', async () => {
    const { told, goOn, advance, file } = await scheduleOnce();
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.at(-1)).toContain('"cron.came"');
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
    const { troupe, resumed } = goOn();
    const idle = nextIdle(resumed);
    await resumed.prompt('What is scheduled?');
    await idle;
    await expect
      .poll(() => findKind(troupe.inspect(), 'cronEntry')[0]?.waitingFor)
      .toEqual([`2030-01-01T02:00:00.000Z for ${resumed.agentId}`]);
    expect(told.slice(2)).toEqual(['What is scheduled?']);
    advance(1);
    expect(told).toHaveLength(3);
  });

  it('forgets what has expired, and what was deleted', async () => {
    const { told, goOn, advance, session } = await scheduleOnce();
    advance(8 * DAY);
    const { troupe, resumed } = goOn();
    const idle = nextIdle(resumed);
    await resumed.prompt('What is scheduled?');
    await idle;
    await expect.poll(() => readSchedule(session).at(-1)?.type).toBe('cron.ended');
    expect(findKind(troupe.inspect(), 'cronEntry')).toEqual([]);
    expect(told.slice(2)).toEqual(['What is scheduled?']);
  });

  it('has teammates that keep what they had scheduled, if their process was killed', async () => {
    const { hear } = createListener();
    const script = playParts({
      main: [
        { tools: [cronCall('0 9 * * *')] },
        { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
        { tools: [teammateCall('ann')] },
        hear,
      ],
      ann: [{ tools: [cronCall('0 10 * * *')] }, hear],
    });
    const world = await createScheduleWorld(script, { agents: [defineAgent('worker')] });
    const { troupe, cwd, clock, now, env } = world;
    const session = troupe.session(START);
    const idsOf = (one: typeof troupe): readonly string[] =>
      findKind(one.inspect(), 'cronEntry').map(({ id }) => id);
    await expect.poll(() => idsOf(troupe)).toHaveLength(2);
    const home = await createFolder();
    cpSync(world.home, home, { recursive: true });
    rmSync(join(home, relative(world.home, session.directory), 'lock'));
    const later = createOrchestrator({
      cwd,
      home,
      clock,
      now,
      env,
      model: createScriptedModel(() => ({ text: 'Seen.' })),
      permissions: ALLOW_ALL,
      agents: [defineAgent('worker')],
    });
    onTestFinished(() => later.close());
    later.session({ resume: session.sessionId, staysOpen: true });
    await expect.poll(() => idsOf(later)).toEqual(idsOf(troupe));
  });

  it('is a fork that begins without entries, and without the tokens of triggers', async () => {
    const trigger = { name: 'RemoteTrigger', input: { action: 'create', name: 'a', prompt: 'b' } };
    const { troupe } = await createScheduleWorld(({ messages }) =>
      messages.length === 1 ? { tools: [cronCall('0 9 * * *'), trigger] } : { text: 'Done.' },
    );
    const session = troupe.session(START);
    await nextIdle(session);
    const fork = troupe.session({ resume: session.sessionId, forks: true, prompt: 'Continue.' });
    expect((await fork.outcome).status).toBe('completed');
    expect([session, fork].map(({ directory }) => existsSync(join(directory, 'triggers')))).toEqual(
      [true, false],
    );
    expect(findKind(troupe.inspect(), 'cronEntry').map(({ waitingFor }) => waitingFor)).toEqual([
      [`2030-01-01T09:00:00.000Z for ${session.agentId}`],
    ]);
  });

  it('says which line of the schedule is damaged', async () => {
    const { goOn, file } = await scheduleOnce();
    appendFileSync(file, '{"type":"cron.created"}\n');
    expect(() => goOn()).toThrow(`${file}:3: `);
  });
});

describe('Sleep', () => {
  const sleep = { name: 'Sleep', input: { seconds: 600 } };

  it('keeps the agent, and ends with its time', async () => {
    const { told, hear } = createListener();
    const { troupe, advance, armed } = await createScheduleWorld(
      playParts({ main: [{ tools: [sleep] }, hear] }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    await expect.poll(() => armed.size).toBe(1);
    advance(600_000 - 1);
    expect(session.status).toBe('running');
    advance(1);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Seen.' });
    expect(told).toEqual(['The time is over.']);
  });

  it('ends early with a scheduled prompt, which comes along', async () => {
    const { told, hear } = createListener();
    const { troupe, advance, armed } = await createScheduleWorld(
      playParts({ main: [{ tools: [cronCall('* * * * *'), sleep] }, hear] }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    await expect.poll(() => findKind(troupe.inspect(), 'toolCall')[0]?.label).toContain('Sleep');
    await expect.poll(() => findKind(troupe.inspect(), 'cronEntry')).toHaveLength(1);
    await expect.poll(() => armed.size).toBe(1);
    advance(MINUTE);
    await session.outcome;
    expect(told).toEqual([
      expect.stringMatching(
        /^Scheduled as .+\nWoken early: something has arrived for you\.\n<scheduled-prompt /,
      ),
    ]);
    await troupe.close();
    expect(armed.size).toBe(0);
  });

  it('says until when it waits, each for itself', async () => {
    const short = { name: 'Sleep', input: { seconds: 60 } };
    const { troupe, armed } = await createScheduleWorld(
      playParts({ main: [{ tools: [sleep, short] }, { text: 'Done.' }] }),
    );
    troupe.session({ prompt: 'Go.' });
    await expect
      .poll(() => findKind(troupe.inspect(), 'toolCall').map(({ waitingFor }) => waitingFor))
      .toEqual([['mail, or 2030-01-01T00:10:00.000Z'], ['mail, or 2030-01-01T00:01:00.000Z']]);
    await troupe.close();
    expect(armed.size).toBe(0);
  });

  it('ends when its agent is killed', async () => {
    const { troupe, armed } = await createScheduleWorld(
      playParts({ main: [{ tools: [sleep] }, { text: 'Done.' }] }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    await expect.poll(() => armed.size).toBe(1);
    expect(await session.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    await troupe.close();
    expect(armed.size).toBe(0);
  });
});
