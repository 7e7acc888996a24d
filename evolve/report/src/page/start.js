show(data);
