export const nl = {
  "Company domain": "Bedrijfsdomein",
  "The part before .bamboohr.com in the address that your browser shows.":
    "Het deel vóór .bamboohr.com in het adres dat uw browser toont.",
  "Please type the part before .bamboohr.com, such as example.":
    "Vul het deel vóór .bamboohr.com in, bijvoorbeeld example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "Klik in BambooHR op uw profielfoto en kies API Keys. Een sleutel wordt maar één keer getoond.",
  "There is no BambooHR account with this domain.": "Er is geen BambooHR-account met dit domein.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "Dit is een ander bedrijf dan het gekoppelde. Gebruik hetzelfde domein als voorheen.",
};
