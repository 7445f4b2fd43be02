// Sends generated bad requests to every operation: none may give a 500 or a slow answer, and rejected
// requests must not change anything. Runs on the built package.
// node --expose-gc scripts/bad-requests.mjs [--count 100000] [--minutes 5] [--seed 1] [--socket]
// [--profile xata]; by default half of the requests go to each profile.
// --samples checks that each operation has a good request; --forget removes one, to test the test.
import { parseArgs } from "node:util";
import { SAMPLES } from "./attack/samples.mjs";
import { attackRequests, trySamples } from "./attack/send-requests.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    minutes: { type: "string", default: "60" },
    seed: { type: "string" },
    socket: { type: "boolean", default: false },
    profile: { type: "string" },
    samples: { type: "boolean", default: false },
    forget: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
if (values.forget !== undefined) delete SAMPLES[values.forget];
if (values.samples) {
  const { tried, refused } = await trySamples(seed, values.forget);
  console.log(`${tried} good requests, ${refused.length} of them refused`);
  for (const line of refused) console.log(line);
  process.exitCode = refused.length === 0 ? 0 : 1;
} else {
  const profiles = values.profile === undefined ? ["documented", "xata"] : [values.profile];
  for (const profile of profiles) {
    const { fault, ...figures } = await attackRequests({
      count: Number(values.count) / profiles.length,
      minutes: Number(values.minutes) / profiles.length,
      seed,
      socket: values.socket,
      profile,
    });
    console.log(JSON.stringify({ seed, ...figures }));
    if (fault !== undefined) {
      console.log(fault);
      process.exitCode = 1;
    }
  }
}
