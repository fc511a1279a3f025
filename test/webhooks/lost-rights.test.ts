import { describe, expect, test } from "vitest";
import { people, person, whoIn, type Person } from "../support/webhook-harness.ts";
import { answers } from "../support/receiver.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver, attemptAfter } = await stageWebhooks();

const limited = ["job_title"];
const news = () => receiver.received.map(whoIn);
const withJobs = (list: readonly Person[]): Person[] =>
  list.map((each) => ({ ...each, job_title: "Clerk" }));

describe("a right that is lost", () => {
  test("while a body is in flight takes nobody's last record along: who leaves then is told of later", async () => {
    const company = await harness.watchCompany(withJobs(people(40)), receiver.url);
    receiver.answer = answers.status(500);
    company.people = withJobs(people(41));
    await harness.pollNextHour();
    Object.assign(company, { limited, people: people(41).slice(1) });
    await harness.pollNextHour();
    receiver.reset();
    await attemptAfter(3_600);
    receiver.reset();
    for (let hours = 0; hours < 3; hours += 1) await harness.pollNextHour();
    await harness.settle();
    expect(news()).toEqual([{ added: [], removed: ["r1"], updated: [] }]);
    expect(receiver.last.body.removed[0]).toMatchObject({ last_name: "Last1" });
  });

  test("and changes no record is noticed all the same: the next change is told", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.limited = limited;
    await harness.pollNextHour();
    company.people = people(9).map((each) =>
      each.remote_id === "r4" ? person(4, { last_name: "Married" }) : each,
    );
    await harness.pollNextHour();
    expect(news()).toEqual([{ added: [], removed: [], updated: ["r4"] }]);
  });
});
