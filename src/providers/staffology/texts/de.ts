export const de = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "Erstellen Sie einen in den Kontoeinstellungen von Staffology. Er kann alles, was sein Benutzer kann: Nehmen Sie einen Benutzer, der nur lesen darf.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Dieser Schlüssel erreicht keinen Arbeitgeber in Staffology. Verwenden Sie den Schlüssel eines Benutzers, der den Arbeitgeber sehen darf.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Dieser Schlüssel erreicht den zuvor verbundenen Arbeitgeber nicht. Verwenden Sie den Schlüssel eines Benutzers, der ihn sehen darf.",
  "Which employer do you want to connect?": "Welchen Arbeitgeber möchten Sie verbinden?",
};
