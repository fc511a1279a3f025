import { addDays, monthStart, quarterEnd, quarterOf, quarterStart } from "./calendar.ts";
import { corePeople } from "./core-people.ts";
import { draw, drawBelow, pick } from "./draw.ts";
import { firstNameOf, lastNameOf, mailboxOf, marriedNameOf } from "./names.ts";
import { terms, type Person } from "./person.ts";

/** The simulated company at one hour of one day. */
export interface Company {
  today: string;
  hour: number;
  /** The number of people besides the core people and the trainees. */
  hires: number;
  /** One in so many hires has absences and timesheets. */
  recordsEvery: number;
}

type Position = Pick<
  Person,
  "office" | "home" | "department" | "team" | "title" | "terms" | "shift"
>;

const positions: readonly Position[] = [
  {
    office: "london",
    home: "GB",
    department: "operations",
    team: "warehouse",
    title: "Warehouse Operative",
    terms: "hourly",
    shift: "day",
  },
  {
    office: "berlin",
    home: "DE",
    department: "engineering",
    team: "platform",
    title: "Software Engineer",
    terms: "salaried",
    shift: null,
  },
  {
    office: "toronto",
    home: "CA",
    department: "sales",
    team: null,
    title: "Account Manager",
    terms: "salaried",
    shift: null,
  },
  {
    office: "berlin",
    home: "DE",
    department: "people",
    team: null,
    title: "Recruiter",
    terms: "partTime",
    shift: null,
  },
  {
    office: "toronto",
    home: "CA",
    department: "engineering",
    team: "instruments",
    title: "Calibration Engineer",
    terms: "salaried",
    shift: null,
  },
];

const traineePositions: readonly Position[] = [
  {
    office: "berlin",
    home: "DE",
    department: "engineering",
    team: "platform",
    title: "Trainee, Software",
    terms: "trainee",
    shift: null,
  },
  {
    office: "london",
    home: "GB",
    department: "operations",
    team: "warehouse",
    title: "Trainee, Logistics",
    terms: "trainee",
    shift: null,
  },
];

const nationalities = ["DE", "GB", "CA", "FR", "IN", "BR", "KE", "FI", "KR", "TN"] as const;

const firstHireNumber = 10_001;
const firstTraineeNumber = 5_001;
const firstQuarter = quarterOf("2020-01-01");

/** Yields one person after the other, so that a large company is never in memory as a whole. */
export function* peopleOf(company: Company): Generator<Person> {
  yield* corePeople.map((person) => withChanges(person, company.hour));
  yield* traineesOf(company.today);
  for (let index = company.hour; index < company.hour + company.hires; index += 1)
    yield hire(index, company.recordsEvery);
}

/**
 * The people whom simulated hours change. They lead nobody: a changed manager would change the
 * team's records.
 */
const changing = corePeople.filter(({ role, endDate }) => role === "member" && endDate === null);

/**
 * In each hour one person gets a new mobile number and another a new title. Both also get a new
 * last name, because a record with only the required fields shows no other change.
 */
function withChanges(person: Person, hour: number): Person {
  const turn = changing.indexOf(person);
  if (turn === -1) return person;
  const turns = changing.length;
  const phone = timesReached(turn, hour, turns);
  const title = timesReached((turn + Math.floor(turns / 2)) % turns, hour, turns);
  const isRenamed = (phone + title) % 2 === 1;
  return {
    ...person,
    changes: { phone, title },
    lastName: isRenamed ? marriedNameOf(person.number, person.lastName) : person.lastName,
  };
}

/**
 * How often the hours 1 to `hour` reach this turn. Each hour moves to the next turn, in a circle.
 */
function timesReached(turn: number, hour: number, turns: number): number {
  return Math.floor((hour - turn + turns) / turns) - (turn === 0 ? 1 : 0);
}

/**
 * One trainee starts each quarter and stays for two quarters. Trainees are listed from half a year
 * before the start to nine months after the end: on any day two have not started yet, two are
 * employed and three have left.
 */
function traineesOf(today: string): Person[] {
  const quarter = quarterOf(today);
  return [-4, -3, -2, -1, 0, 1, 2].map((offset) => {
    const start = quarter + offset;
    const number = firstTraineeNumber + start - firstQuarter;
    const position = traineePositions[number % traineePositions.length] as Position;
    return generatePerson(number, position, {
      startDate: quarterStart(start),
      endDate: quarterEnd(start + 1),
      remoteCreatedAt: quarterStart(start - 2),
      hasRecords: true,
    });
  });
}

function hire(index: number, recordsEvery: number): Person {
  const startDate = monthStart(2016 * 12 + drawBelow(120, "start", index));
  return generatePerson(firstHireNumber + index, positions[index % positions.length] as Position, {
    startDate,
    endDate: null,
    remoteCreatedAt: addDays(startDate, -14),
    hasRecords: index % recordsEvery === 0,
  });
}

function generatePerson(
  number: number,
  position: Position,
  dates: Pick<Person, "startDate" | "endDate" | "remoteCreatedAt" | "hasRecords">,
): Person {
  const gender =
    draw("gender", number) % 20 === 0
      ? "not_specified"
      : pick(["female", "male"] as const, "gender", number);
  const firstName = firstNameOf(gender, number);
  const lastName = lastNameOf(number);
  return {
    ...position,
    ...dates,
    hasRecords: dates.hasRecords && terms[position.terms].isStaff,
    number,
    firstName,
    lastName,
    isFamilyNameFirst: false,
    mailbox: `${mailboxOf(firstName, lastName)}.${number}`,
    gender,
    nationality: pick(nationalities, "nationality", number),
    role: "member",
    earlier: null,
    hasStatus: true,
    changes: { phone: 0, title: 0 },
  };
}
