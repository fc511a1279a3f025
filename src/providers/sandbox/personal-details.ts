import type { Employee } from "../../model/index.ts";
import { countries, type Address } from "./countries.ts";
import { drawBelow, pick } from "./draw.ts";
import { relativeOf } from "./names.ts";
import type { Person } from "./person.ts";

/** Assigned in turn, not drawn, so that each value occurs among the first seven people. */
const ethnicities = [
  "asian",
  "black",
  "hispanic",
  "mixed",
  "not_specified",
  "other",
  "white",
] as const;
const maritalStatuses = ["single", "married", "divorced", "not_specified", "other"] as const;

const contactRelationships = ["spouse", "parent", "sibling", "friend"] as const;
const dependentRelationships = ["child", "child", "spouse", "parent"] as const;

type Details = Pick<
  Employee,
  | "ethnicity"
  | "marital_status"
  | "date_of_birth"
  | "mobile_phone_number"
  | "custom_fields"
  | "dependents"
  | "emergency_contacts"
> & {
  tax_id: string;
  home_location: Address;
};

export function personalDetailsOf(person: Person): Details {
  const { number, home, changes } = person;
  return {
    tax_id: countries[home].taxId(String(number % 1_000_000).padStart(6, "0")),
    ethnicity: ethnicities[number % ethnicities.length] as (typeof ethnicities)[number],
    marital_status: maritalStatuses[
      number % maritalStatuses.length
    ] as (typeof maritalStatuses)[number],
    date_of_birth: birthDateOf(person),
    mobile_phone_number: mobileNumberOf(person, number + changes.phone),
    home_location: homeOf(person),
    custom_fields: number % 3 === 0 ? null : customFieldsOf(number),
    dependents: Array.from({ length: drawBelow(4, "dependents", number) }, (_, index) =>
      dependentOf(number, index),
    ),
    emergency_contacts: Array.from({ length: 1 + drawBelow(2, "contacts", number) }, (_, index) =>
      contactOf(person, index),
    ),
  };
}

/** 20 to 44 years before the first day of work. */
function birthDateOf({ number, startDate }: Person): string {
  const year = Number(startDate.slice(0, 4)) - 20 - drawBelow(25, "birth year", number);
  const [month, day] = [
    1 + drawBelow(12, "birth month", number),
    1 + drawBelow(28, "birthday", number),
  ].map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${day}`;
}

/** Neighbours in the sequence differ, so that the next number is a change. */
function mobileNumberOf({ home }: Person, sequence: number): string {
  const { prefix, first, last, digits } = countries[home].mobileNumbers;
  return prefix + String(first + (sequence % (last - first + 1))).padStart(digits, "0");
}

function homeOf({ number, home }: Person): Address {
  const { streets, towns } = countries[home];
  return {
    street_address: `${pick(streets, "street", number)} ${1 + drawBelow(120, "house", number)}`,
    ...pick(towns, "town", number),
    country: home,
  };
}

function customFieldsOf(number: number): Record<string, unknown> {
  return {
    badge: `B-${number}`,
    has_parking: number % 2 === 0,
    languages: ["de", "en", "fr"].slice(0, 1 + (number % 3)),
    remote_days_a_week: number % 6,
    equipment: { laptop: pick(["14 inch", "16 inch"], "laptop", number), phone: null },
  };
}

function dependentOf(number: number, index: number): { name: string; relationship: string } {
  return {
    name: relativeOf(number, `dependent ${index}`),
    relationship: pick(dependentRelationships, "dependent", number, index),
  };
}

function contactOf(
  person: Person,
  index: number,
): NonNullable<Employee["emergency_contacts"]>[number] {
  return {
    first_name: relativeOf(person.number, `contact ${index}`),
    last_name: person.lastName,
    relationship: pick(contactRelationships, "contact", person.number, index),
    mobile_phone_number: mobileNumberOf(person, person.number + 7 + index),
    primary_contact: index === 0,
  };
}
