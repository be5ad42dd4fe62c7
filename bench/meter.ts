/** CPU (user and system) and wall time of one stretch of a process's life. */
export type Stretch = { readonly cpuMs: number; readonly wallMs: number };

/** Cuts the time from now on into stretches. */
export interface Meter {
  /** Ends a stretch; the next one begins. */
  cut(): void;
  readonly stretches: readonly Stretch[];
}

export function startMeter(): Meter {
  const stretches: Stretch[] = [];
  let last = read();
  return {
    stretches,
    cut() {
      const now = read();
      stretches.push({ cpuMs: now.cpuMs - last.cpuMs, wallMs: now.wallMs - last.wallMs });
      last = now;
    },
  };
}

function read(): Stretch {
  const { user, system } = process.cpuUsage(); // µs
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() };
}

/** Epoch ms with fractions: comparable between processes of one machine. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
